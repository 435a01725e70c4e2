import Console
import FormeClientZMQ
import Foundation
import Transport
import Wire

/// The chat in the browser, kept up until it is interrupted.
struct Showroom: ~Copyable {
    private let path: String
    private let address: String
    private let style: String
    private let count: Int
    private let endpoints: Endpoints
    private let signals: Signals

    init(
        in path: String, at address: String, style: String, messages count: Int, _ endpoints: Endpoints,
        _ signals: Signals
    ) {
        (self.path, self.address, self.style, self.count) = (path, address, style, count)
        (self.endpoints, self.signals) = (endpoints, signals)
    }

    func serve(_ bar: ProgressBar) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        var client = try Client(endpoints.events)
        try ShownConversations(now: now).post(&client)
        print(
            """

            A chat, made of what was just shown: http://\(address)/#answers
            Eleven conversations are in it after \(seconds(since: start)) s; one of \(count) messages comes in behind them.
            Change \(style) or its kinds: what is saved is shown at once.
            Ctrl-C ends it, and removes the folder.
            """)
        var history = try LongHistory(of: count, in: path, at: endpoints)
        while !history.isDone, signals.takeAll().isEmpty { try history.turn(now: now, stop: signals.source) }
        guard history.isDone else { return }
        bar.end(saying: "All \(count) are there after \(seconds(since: start)) s; the folder has \(size() >> 20) MB.")
        while signals.takeAll().isEmpty { _ = try wait(for: [signals.source], atMost: .seconds(60)) }
    }

    private func seconds(since start: ContinuousClock.Instant) -> String {
        String(format: "%.1f", start.duration(to: .now) / .seconds(1))
    }

    /// Bytes on disk.
    private func size() -> Int {
        let files = FileManager.default.enumerator(
            at: URL(filePath: path), includingPropertiesForKeys: [.totalFileAllocatedSizeKey])
        return (files?.allObjects as? [URL] ?? []).reduce(0) { sum, file in
            sum + ((try? file.resourceValues(forKeys: [.totalFileAllocatedSizeKey]))?.totalFileAllocatedSize ?? 0)
        }
    }
}
