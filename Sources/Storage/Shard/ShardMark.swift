import Bytes
import Wire

/// A note of what the files of a shard held after the last commit, kept beside them. It tells a
/// process that opens them whether one of them is gone, or is an older copy, or that of another shard.
///
/// It is written after each commit and never synced, so it outlives the end of a process and not always that
/// of the power. There are two copies, in `NN.lock` and in `NN.mark`; the one with the higher serial counts.
///
/// ```text
/// marked SERIAL BOOT ORIGIN STAMP NUMBER NEXT FRAMES SUM LOG INDEX PHASE CHECK
/// ```
struct ShardMark: Equatable {
    var serial: UInt64 = 0
    /// The start of the machine, as a checksum.
    var boot: UInt64
    var origin: ShardOrigin
    var stamp: Stamp
    /// The number in the database file itself, past its log: another one each time that the log is emptied into it.
    var number: UInt32
    /// The number that the file gets next: while the log is being emptied, the file may have either.
    var next: UInt32
    /// The number of frames in the log; with none it is empty.
    var frames = 0
    /// The checksum of the last frame, which covers all before it.
    var sum: UInt64 = 0
    /// The inodes of the log and of its index; 0 where they are not known.
    var log: UInt64 = 0
    var index: UInt64 = 0
    var phase = Phase.steady

    enum Phase: UInt64 {
        case steady
        /// The log may be empty by now.
        case emptying
        /// The log may have a first commit by now.
        case beginning
    }

    static let length = 7 + 12 * 17

    private var words: [UInt64] {
        [
            serial, boot, origin.number, stamp.number, UInt64(number), UInt64(next), UInt64(frames), sum, log, index,
            phase.rawValue,
        ]
    }

    /// Twelve words of sixteen digits; the last is a checksum.
    var line: [UInt8] {
        var line = Array("marked".utf8)
        line.reserveCapacity(Self.length)
        let words = words
        for word in words + [Self.check(words)] {
            line.append(0x20)
            for shift in stride(from: 60, through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(shift) & 15)
                line.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            }
        }
        line.append(0x0A)
        return line
    }

    /// Nil where there is none, or only a part of one.
    init?(line: ArraySlice<UInt8>) {
        guard line.count == Self.length, line.starts(with: "marked".utf8) else { return nil }
        var words: [UInt64] = []
        words.reserveCapacity(12)
        for start in stride(from: line.startIndex + 7, to: line.endIndex, by: 17) {
            var word: UInt64 = 0
            for byte in line[start..<start + 16] {
                switch byte {
                case 0x30...0x39: word = word << 4 | UInt64(byte - 0x30)
                case 0x61...0x66: word = word << 4 | UInt64(byte - 0x57)
                default: return nil
                }
            }
            words.append(word)
        }
        guard words.removeLast() == Self.check(words), let phase = Phase(rawValue: words[10]),
            let number = UInt32(exactly: words[4]), let next = UInt32(exactly: words[5]),
            let frames = Int(exactly: words[6])
        else { return nil }
        (serial, boot, origin, stamp) = (words[0], words[1], ShardOrigin(words[2]), Stamp(words[3]))
        (self.number, self.next, self.frames, sum) = (number, next, frames, words[7])
        (log, index, self.phase) = (words[8], words[9], phase)
    }

    init(boot: String, origin: ShardOrigin, stamp: Stamp, number: UInt32) {
        self.boot = Self.word(of: boot)
        (self.origin, self.stamp, self.number, next) = (origin, stamp, number, number)
    }

    func isOf(boot: String) -> Bool { self.boot == Self.word(of: boot) }

    private static func check(_ words: [UInt64]) -> UInt64 {
        var sum = Checksum()
        for word in words { sum.add(word) }
        return sum.wide
    }

    private static func word(of boot: String) -> UInt64 {
        var sum = Checksum()
        sum.add(Array(boot.utf8), from: 0)
        return sum.wide
    }
}

extension Database {
    /// The offset of what SQLite calls the application's id, in the first page of a file.
    private static let numberOffset: Int64 = 68
    /// The random bits of a number. The count in the others begins at random, too: files that were
    /// swapped are told from each other, however often the log of each was emptied.
    private static let chanceBits: UInt32 = 10
    /// The counts that files begin with. A file with a lower one was begun by an older build, or
    /// its log was never emptied.
    private static let starts: Range<UInt32> = 1 << 16..<1 << 21
    /// The most by which a file may be ahead of its mark: a mark that is older than that is not
    /// believed to be of the file.
    private static let mostAhead: UInt32 = 64

    /// The number in the database file itself, whatever its log says.
    func fileNumber() throws(StorageError) -> UInt32 {
        try stored(at: Self.numberOffset, count: 4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func number(after number: UInt32) -> UInt32 {
        let count = number >> chanceBits
        let next = count < starts.lowerBound ? .random(in: starts) : count &+ 1
        return next << chanceBits | .random(in: 0..<1 << chanceBits)
    }

    /// Puts the number into the log, from which it comes into the file with all the rest.
    func setNumber(_ number: UInt32) throws(StorageError) {
        try transaction { () throws(StorageError) in
            try execute("PRAGMA application_id = \(Int32(bitPattern: number))")
        }
    }

    /// The checksum of a frame of the log, as SQLite has it; 0 where there is no such frame.
    func frameSum(_ frame: Int) throws(StorageError) -> UInt64 {
        let offset = 32 + Int64(frame - 1) * Int64(24 + pageSize) + 16
        return try stored(inLog: true, at: offset, count: 8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether file and log are what the mark says, or have come after it.
    func holds(_ mark: ShardMark) throws(StorageError) -> Bool {
        let number = try fileNumber()
        if number != mark.number, number != mark.next {
            // The mark is an older one that was put there; or the file is that of another shard.
            let ahead = (number >> Self.chanceBits).subtractingReportingOverflow(mark.next >> Self.chanceBits)
            return !ahead.overflow && (1...Self.mostAhead).contains(ahead.partialValue)
        }
        switch mark.phase {
        case .emptying where number == mark.next && logSize == 0: return true
        case .steady where mark.frames == 0: return logSize == 0
        case _ where mark.frames == 0: return true
        case .steady, .emptying, .beginning: return try frameSum(mark.frames) == mark.sum
        }
    }
}
