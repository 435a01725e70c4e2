internal import CICU

/// The Khmer words that browsers know, out of those that ICU knows.
///
/// Browsers ship a smaller dictionary than ICU's and break long compounds that ICU keeps whole. ICU's is read where
/// it is installed; `KhmerWords` tells which of its words to keep.
enum KhmerDictionary {
    /// The words of the installed dictionary, read when first asked. Nil when it is another than the one that
    /// `KhmerWords` was measured for.
    static let installed = words(of: bytes())

    /// Bytes of the letters in the dictionary count from here.
    static let firstLetter: UInt16 = 0x1780

    private static let largest: Int32 = 1 << 22

    private static func bytes() -> [UInt8] {
        let size = unsafe forme_icu_dictionary("khmerdict", nil, 0)
        guard 0 < size && size <= largest else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        let read = unsafe forme_icu_dictionary("khmerdict", &bytes, size)
        return read == size ? bytes : []
    }

    static func words(of dictionary: [UInt8]) -> WordTrie? {
        // From here on the bytes are known, so that reading them cannot fail.
        guard hash(dictionary) == KhmerWords.dictionaryHash else { return nil }
        let kept = KhmerWords.kept
        var words = WordTrie()
        var number = 0
        var reader = DictionaryReader(bytes: dictionary)
        reader.forEachWord { word in
            if kept[number >> 3] & 1 << (number & 7) != 0 { words.append(word) }
            number += 1
        }
        return number == KhmerWords.count ? words : nil
    }

    /// FNV-1a.
    static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

/// A reader of all words of one of ICU's dictionaries, in order. They are stored as a tree of bytes: a node is a
/// branch, a run of bytes without branches, or the end of a word.
struct DictionaryReader {
    private let bytes: [UInt8]
    private var word: [UInt8] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func forEachWord(_ body: ([UInt8]) -> Void) {
        // The first of eight numbers is where the tree begins.
        read(at: (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }, body)
    }

    private mutating func read(at start: Int, _ body: ([UInt8]) -> Void) {
        var place = start
        let length = word.count
        defer { word.removeSubrange(length...) }
        while true {
            let lead = bytes[place]
            place += 1
            if lead >= 0x20 {
                body(word)
                if lead & 1 != 0 { return }
                place = skipValue(lead, at: place)
            } else if lead >= 0x10 {
                let count = Int(lead) - 0xf
                word += bytes[place..<place + count]
                place += count
            } else {
                let count = lead == 0 ? Int(bytes[place]) + 1 : Int(lead) + 1
                return readBranches(count, at: lead == 0 ? place + 1 : place, body)
            }
        }
    }

    /// Many branches are split in two by a byte, few are a list.
    private mutating func readBranches(_ count: Int, at start: Int, _ body: ([UInt8]) -> Void) {
        if count > 5 {
            let (delta, behind) = delta(at: start + 1)
            readBranches(count / 2, at: behind + delta, body)
            return readBranches(count - count / 2, at: behind, body)
        }
        var place = start
        for _ in 1..<count {
            let lead = bytes[place + 1]
            let behind = skipValue(lead, at: place + 2)
            word.append(bytes[place])
            if lead & 1 != 0 { body(word) } else { read(at: behind + value(lead, at: place + 2), body) }
            word.removeLast()
            place = behind
        }
        word.append(bytes[place])
        read(at: place + 1, body)
        word.removeLast()
    }

    /// The distance of a branch from the byte behind the number, and the place of that byte.
    private func delta(at place: Int) -> (Int, behind: Int) {
        let lead = bytes[place]
        let (first, count) =
            switch lead {
            case ..<0xc0: (Int(lead), 0)
            case ..<0xf0: (Int(lead) - 0xc0, 1)
            case ..<0xfe: (Int(lead) - 0xf0, 2)
            default: (0, Int(lead) - 0xfb)
            }
        return (number(first, at: place + 1, count), place + 1 + count)
    }

    private func value(_ lead: UInt8, at place: Int) -> Int {
        let half = Int(lead >> 1)
        return switch half {
        case ..<0x51: half - 0x10
        case ..<0x6c: number(half - 0x51, at: place, 1)
        case ..<0x7e: number(half - 0x6c, at: place, 2)
        default: number(0, at: place, half - 0x7b)
        }
    }

    private func skipValue(_ lead: UInt8, at place: Int) -> Int {
        switch lead >> 1 {
        case ..<0x51: place
        case ..<0x6c: place + 1
        case ..<0x7e: place + 2
        default: place + Int(lead >> 1) - 0x7b
        }
    }

    private func number(_ first: Int, at place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reduce(first) { $0 << 8 | Int($1) }
    }
}
