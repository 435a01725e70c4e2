import Foundation
import Pool
import TestSupport
import Testing
import Transport
import Wire

@testable import Daemons

/// Waits for a word of a worker to its coordinator, passes over others, and returns the route to the worker; nil where
/// none came in time.
private func route(
    by coordinator: borrowing Socket, toSpeakerOf isMeant: (WorkerWord) -> Bool
) throws -> [UInt8]? {
    let deadline = ContinuousClock.now + patience
    while .now < deadline {
        guard let parts = try coordinator.receive() else {
            _ = try wait(for: [coordinator.source], atMost: .milliseconds(20))
            continue
        }
        if parts.count == 2, isMeant(try Framed<WorkerWord>(decoding: parts[1]).word) { return parts[0] }
    }
    return nil
}

@Test func `a worker elsewhere whose edition is gone while it fetches it looks for another`() throws {
    let folder = try TemporaryFolder()
    let endpoint = Endpoints(folder: folder.path).workers
    let coordinator = try Socket(.router, in: try Context())
    try coordinator.bind(endpoint)
    let (stop, fonts) = (try Bell(), try FontCache(folder.file("fonts"), limit: 1 << 20))
    Thread.detachNewThread {
        do {
            var loop = try RemoteLoop(at: endpoint, fonts: fonts)
            try loop.run(until: [stop.source])
        } catch {
            Issue.record("\(error)")
        }
    }
    defer { stop.ring() }
    let offer = EditionOffer(edition: try EditionID("aa"), bytes: 100, fonts: [])
    for _ in 0..<2 {
        let seeker = try route(by: coordinator) { if case .seek = $0 { true } else { false } }
        let worker = try #require(seeker)
        _ = try coordinator.send(worker, Framed(CoordinatorWord.offer(offer)).encoded())
        let fetcher = try route(by: coordinator) { if case .fetch = $0 { true } else { false } }
        #expect(fetcher == worker)
        _ = try coordinator.send(worker, Framed(CoordinatorWord.leave).encoded())
    }
}
