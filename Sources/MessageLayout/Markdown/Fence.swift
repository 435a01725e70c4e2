/// The line that opens a piece of code, as far as its other lines depend on it.
struct Fence {
    private var mark: UInt16
    private var length: Int
    /// The indentation of the fence, which its lines lose.
    private var indentation: Int
    var language: String

    /// Nil where the line opens no code. Backticks behind backticks are code in a line: ```` ```like this``` ````.
    init?(opening line: LineCursor) {
        var line = line
        indentation = line.indentation
        line.skipSpaces()
        mark = line.unit
        guard mark == .backtick || mark == .tilde else { return nil }
        length = line.skipRun(of: mark)
        guard length >= 3 else { return nil }
        line.skipSpaces()
        if mark == .backtick, line.source[line.index..<line.end].contains(.backtick) { return nil }
        let word = line.source[line.index..<line.end].prefix { !$0.isBlank }
        language = String(decoding: word, as: UTF16.self)
    }

    func isClosed(by line: LineCursor) -> Bool {
        var line = line
        line.skipSpaces()
        return line.skipRun(of: mark) >= length && line.isBlank
    }

    func content(of line: LineCursor) -> Range<Int32> {
        var line = line
        line.skipIndentation(columns: indentation)
        return line.rest
    }
}
