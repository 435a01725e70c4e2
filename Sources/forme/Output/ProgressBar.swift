import Console
import Foundation

/// The progress of work on standard error: a bar in place on a terminal, a line now and then elsewhere.
struct ProgressBar {
    let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private static let width = 30

    /// - Parameters:
    ///   - before: the work that was done before this began; it does not count for the speed.
    func show(_ done: UInt64, of whole: UInt64, _ words: String, since before: UInt64) {
        let part = whole > 0 ? Double(done) / Double(whole) : 1
        let full = Int(part * Double(Self.width))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        let text = "\(bar) \(Int(part * 100)) % · \(words)\(timeLeft(done - before, whole - done))"
        write(isTerminal ? "\r\u{1B}[K\(text)" : text + "\n")
    }

    /// Shows words alone, where the size of the whole is not known.
    func show(_ words: String) { write(isTerminal ? "\r\u{1B}[K\(words)" : words + "\n") }

    /// Prints a line that stays.
    func say(_ line: String) { write((isTerminal ? "\r\u{1B}[K" : "") + line + "\n") }

    func end() { if isTerminal { write("\r\u{1B}[K") } }

    private func timeLeft(_ done: UInt64, _ left: UInt64) -> String {
        let passed = start.duration(to: .now) / .seconds(1)
        guard done > 0, left > 0, passed > 1 else { return "" }
        let seconds = Int(passed * Double(left) / Double(done))
        return " · \(seconds / 60):" + String(format: "%02d", seconds % 60) + " left"
    }

    private func write(_ text: String) { StandardError.write(text) }
}
