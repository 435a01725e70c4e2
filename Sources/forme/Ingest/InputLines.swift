import Console
import Glibc

/// Lines of standard input as the bytes that they are, each as soon as it is there. (`readLine` puts U+FFFD in the
/// place of bytes that are no UTF-8, and events would be kept with words that nobody wrote.)
struct InputLines {
    private var piece = [UInt8](repeating: 0, count: 1 << 16)
    /// The part of the piece that was read and not yet returned.
    private var rest = 0..<0

    /// The next line without its end; nil behind the last. A last line without an end is a line.
    mutating func next() throws(Failure) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if let end = piece[rest].firstIndex(of: UInt8(ascii: "\n")) {
                line += piece[rest.lowerBound..<end]
                rest = end + 1..<rest.upperBound
                return line
            }
            line += piece[rest]
            guard try fill() else { return line.isEmpty ? nil : line }
        }
    }

    /// False at the end of the input.
    private mutating func fill() throws(Failure) -> Bool {
        let most = piece.count
        var count = 0
        repeat { count = unsafe Glibc.read(STDIN_FILENO, &piece, most) } while count < 0 && errno == EINTR
        guard count >= 0 else {
            throw Failure(.inputOutput, "standard input cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        rest = 0..<count
        return count > 0
    }
}
