import Console
import Flood
import Foundation

/// The progress of a flood on standard error: in place on a terminal, a line a second elsewhere.
struct FloodProgress {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    func show(_ loop: borrowing FloodLoop) {
        let traffic = loop.traffic
        guard let second = traffic.measures.seconds.last else { return }
        let words = [
            "\(second.number) s", "sent \(second.sent)/s", "accepted \(second.accepted)/s", "busy \(second.busy)/s",
            "readable \(second.ready)/s, p99 \(FloodReport.milliseconds(second.ready99)) ms",
            "waiting for \(traffic.requestsInFlight) answers and \(traffic.awaited.count) layouts",
        ]
        say(words.joined(separator: " · "))
    }

    func show(read: Int, of count: Int) {
        if isTerminal || read == 0 { say("reading back: \(read) of \(count) conversations") }
    }

    func end() { if isTerminal { write("\r\u{1B}[K") } }

    func say(_ line: String) { write(isTerminal ? "\r\u{1B}[K\(line)" : line + "\n") }

    private func write(_ text: String) { StandardError.write(text) }
}
