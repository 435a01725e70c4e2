/// Bytes that a stream's reader has not taken yet: whole pieces, shared with every other stream that was sent the
/// same. The limit holds for the pieces behind the first one, which is on its way and may have any length: a whole
/// window, before anything is taken.
struct StreamBuffer {
    private var pieces: [[UInt8]] = []
    /// The first piece, and the first byte of it, that is not gone.
    private var first = 0
    private var offset = 0
    private(set) var count = 0
    private let limit: Int
    private let unread: UnreadPieces

    /// - Parameter unread: the pieces of all streams, where those of this one count.
    init(limit: Int, in unread: UnreadPieces = UnreadPieces()) { (self.limit, self.unread) = (limit, unread) }

    var isEmpty: Bool { count == 0 }
    /// The bytes that count for this stream: of pieces that other readers wait for, too, an equal share.
    var share: Int { pieces[first...].reduce(0) { $0 + unread.share(of: $1) } }

    private var countBehind: Int { isEmpty ? 0 : count - (pieces[first].count - offset) }

    /// Appends a piece; returns false, and keeps nothing, when the reader is too far behind.
    mutating func append(_ piece: [UInt8]) -> Bool {
        guard isEmpty || countBehind + piece.count <= limit else { return false }
        guard !piece.isEmpty else { return true }
        pieces.append(piece)
        unread.keep(piece)
        count += piece.count
        return true
    }

    mutating func removeAll() {
        for piece in pieces[first...] { unread.letGo(of: piece) }
        self = StreamBuffer(limit: limit, in: unread)
    }

    /// Moves as many bytes as fit to their reader, and returns their number.
    @unsafe mutating func move(to target: UnsafeMutableRawBufferPointer) -> Int {
        var written = 0
        while first < pieces.count, written < target.count {
            let piece = pieces[first]
            let length = min(piece.count - offset, target.count - written)
            unsafe piece.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[written..<written + length])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<offset + length]))
            }
            written += length
            offset += length
            guard offset == piece.count else { break }
            offset = 0
            unread.letGo(of: piece)
            pieces[first] = []
            first += 1
        }
        count -= written
        if first == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 64 {
            pieces.removeFirst(first)
            first = 0
        }
        return written
    }
}
