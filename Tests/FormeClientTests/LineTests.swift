import Conversation
import TestSupport
import Testing
import Wire

@testable import FormeClient

/// A gateway that forgets its streams, as one that was started again does: its second line has another window under a
/// name of its own, and breaks before a word of that has come.
private actor ForgetfulGateway: GatewayTransport {
    nonisolated let silence = Duration.seconds(3600)
    private let stage: Stage
    private(set) var calls: [GatewayCall] = []

    init(_ stage: Stage) { self.stage = stage }

    func connect(_ call: GatewayCall) async throws -> GatewayLine {
        calls.append(call)
        guard calls.count == 2 else { return try await stage.connect(call) }
        let (frames, told) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        told.finish()
        return GatewayLine(name: "another", frames: frames, send: { _ in }, close: {})
    }
}

@Test func `a line that breaks before its first word is not taken up, as it may have had another window`()
    async throws
{
    let stage = try Stage(rows: 100)
    let gateway = ForgetfulGateway(stage)
    let client = ChatClient(gateway, clock: FrameClock {}, patience: Patience(answer: patience))
    let open = try await client.open("c", on: Stage.screen)
    _ = try await open.wait { $0.isWhole }
    await stage.breakLines()
    try await expectSoon { await gateway.calls.count >= 3 }
    let resumed = await gateway.calls.map { $0.resume?.line }
    #expect(resumed == [nil, "1", "1"])
    try await stage.put(101...101)
    let update = try await open.wait { $0.window.index(ofMessage: "m101") != nil }
    try await expect(update.window, isAsFreshAt: stage)
    await open.close()
}
