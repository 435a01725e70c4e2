import Foundation

/// Colours of a terminal; none where text goes elsewhere, or where the environment has `NO_COLOR`.
package struct Ink: Sendable {
    package let isColoured: Bool

    package static let none = Ink(isColoured: false)
    /// The ink for standard output.
    package static var output: Ink {
        Ink(
            isColoured: isatty(STDOUT_FILENO) == 1
                && ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true)
    }

    package init(isColoured: Bool) { self.isColoured = isColoured }

    static let escape = "\u{1B}["
    static let end = "\u{1B}[0m"

    package enum Tone: Int, Sendable { case strong = 1, faint = 2, bad = 31, good = 32, warning = 33 }

    package func callAsFunction(_ text: String, _ tone: Tone) -> String {
        isColoured && !text.isEmpty ? "\(Self.escape)\(tone.rawValue)m\(text)\(Self.end)" : text
    }
}

/// Text that stands in the same place of a terminal, however often it changes: lines are written over, so nothing
/// flickers.
package struct InPlace {
    private var isBegun = false

    package init() {}

    /// - Returns: the text to print so that these lines stand on the screen, and nothing else.
    package mutating func showing(_ lines: [String]) -> String {
        defer { isBegun = true }
        // The first time the screen is cleared; later, only the ends of longer lines and the lines below.
        return (isBegun ? "\u{1B}[H" : "\u{1B}[2J\u{1B}[H")
            + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }
}

/// The size of the terminal that standard output is; nil where it is none.
package struct TerminalSize: Equatable, Sendable {
    package var rows: Int
    package var columns: Int

    package static var output: TerminalSize? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return TerminalSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }
}
