import Flood

/// The progress of a flood on standard error.
struct FloodProgress {
    let bar: ProgressBar

    func show(_ loop: borrowing FloodLoop) {
        let traffic = loop.traffic
        guard let second = traffic.measures.seconds.last else { return }
        let words = [
            "\(second.number) s", "sent \(second.sent)/s", "accepted \(second.accepted)/s", "busy \(second.busy)/s",
            "readable \(second.ready)/s, p99 \(FloodReport.milliseconds(second.ready99)) ms",
            "waiting for \(traffic.requestsInFlight) answers and \(traffic.awaited.count) layouts",
        ]
        bar.show(words.joined(separator: " · "))
    }

    func show(read: Int, of count: Int) {
        bar.show("reading back: \(read) of \(count) conversations")
    }
}
