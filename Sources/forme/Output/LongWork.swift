import Console

/// The progress of work that takes more than a second.
final class LongWork {
    private let bar: ProgressBar
    private let words: String
    private var next = ContinuousClock.now + .seconds(1)
    private var isShown = false

    init(_ words: String, _ arguments: Arguments) { (self.words, bar) = (words, ProgressBar(arguments)) }

    func show(_ done: UInt64, of whole: UInt64) {
        guard bar.isShown, .now >= next else { return }
        next = .now + .milliseconds(100)
        isShown = true
        bar.show(done, of: max(whole, 1), words, since: 0)
    }

    func end() { if isShown { bar.end() } }
}
