/// The pieces that readers of all streams together have not taken yet. One that several were sent is in memory once,
/// and counts once.
final class UnreadPieces {
    private(set) var bytes = 0
    /// The number of readers that still wait for a piece, by its address, which it keeps as long as there is one.
    private var readers: [UInt: Int] = [:]

    /// The length from which on pieces are compared. A shorter one counts for each of its readers: finding out whether
    /// it is the same would cost more than it takes.
    private static let least = 1024

    func keep(_ piece: [UInt8]) {
        guard let address = address(of: piece) else { return bytes += piece.count }
        let others = readers[address, default: 0]
        readers[address] = others + 1
        if others == 0 { bytes += piece.count }
    }

    /// Lets go of a piece that was kept, and that its buffer still has.
    func letGo(of piece: [UInt8]) {
        guard let address = address(of: piece) else { return bytes -= piece.count }
        let others = readers[address, default: 1] - 1
        readers[address] = others > 0 ? others : nil
        if others == 0 { bytes -= piece.count }
    }

    /// The bytes of a piece that count for each of its readers.
    func share(of piece: [UInt8]) -> Int {
        guard let address = address(of: piece) else { return piece.count }
        return max(1, piece.count / readers[address, default: 1])
    }

    private func address(of piece: [UInt8]) -> UInt? {
        guard piece.count >= Self.least else { return nil }
        return unsafe piece.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }
}
