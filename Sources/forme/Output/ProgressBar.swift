import Console
import Foundation

/// The progress of work on standard error: a bar that is written over, for people at a terminal who did not ask for
/// quiet.
struct ProgressBar {
    let isShown: Bool
    private let isQuiet: Bool
    private let start = ContinuousClock.now
    private static let width = 30
    /// The start of the line, which is then emptied.
    private static let anew = "\r\u{1B}[K"

    init(_ arguments: Arguments) { (isShown, isQuiet) = (arguments.showsProgress, arguments.isQuiet) }

    /// - Parameters:
    ///   - before: the work that was done before this began; it does not count for the speed.
    func show(_ done: UInt64, of whole: UInt64, _ words: String, since before: UInt64) {
        guard isShown else { return }
        // A file may have grown since it was measured.
        let done = min(done, whole)
        let part = whole > 0 ? Double(done) / Double(whole) : 1
        let full = Int(part * Double(Self.width))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        show("\(bar) \(Int(part * 100)) % · \(words)\(timeLeft(done - min(before, done), whole - done))")
    }

    /// Shows words alone, where the size of the whole is not known.
    func show(_ words: String) { if isShown { write(Self.anew + words) } }

    /// Prints a line that stays, and is no progress: it is printed everywhere.
    func say(_ line: String) { write((isShown ? Self.anew : "") + line + "\n") }

    func end() { if isShown { write(Self.anew) } }

    /// Ends with a line about all of the work, also where there is no terminal.
    func end(saying line: String) { if isQuiet { end() } else { say(line) } }

    private func timeLeft(_ done: UInt64, _ left: UInt64) -> String {
        let passed = start.duration(to: .now) / .seconds(1)
        guard done > 0, left > 0, passed > 1 else { return "" }
        let seconds = Int(passed * Double(left) / Double(done))
        return " · \(seconds / 60):" + String(format: "%02d", seconds % 60) + " left"
    }

    private func write(_ text: String) { StandardError.write(text) }
}
