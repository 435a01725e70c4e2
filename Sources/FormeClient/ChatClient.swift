import Conversation
import MessageLayout
import Record
package import Wire

/// Opens conversations at a gateway, and shows their cached ends until it answers.
///
///     let client = ChatClient(HTTPTransport(url), cache: PageCache(folder: folder))
///     let open = try await client.open("c1", on: screen, as: Reader(own: "ada"))
///     for try await update in open.updates { show(update.window) }
public struct ChatClient: Sendable {
    private let transport: any GatewayTransport
    private let cache: PageCache?
    private let clock: FrameClock
    private let patience: Patience

    /// - Parameters:
    ///   - cache: the ends of conversations; without one, nothing is shown before the gateway answers.
    ///   - clock: the rate of updates.
    public init(
        _ transport: some GatewayTransport, cache: PageCache? = nil, clock: FrameClock = .usual,
        patience: Patience = Patience()
    ) {
        (self.transport, self.cache, self.clock, self.patience) = (transport, cache, clock, patience)
    }

    /// Opens a window of a conversation, and returns when there is something to see: from the cache at once, else
    /// from the gateway.
    /// - Parameters:
    ///   - rows: the number of rows at first; 1 to 256.
    ///   - withBodies: whether rows come with their frames; else these are asked for by `bodies(of:)`.
    ///   - withMessages: whether bodies come with the messages themselves, for clients that keep none.
    ///   - withFonts: whether rows name the font files that their texts are drawn with; see `Row.fonts`.
    /// - Throws: `WindowError` where the gateway says that there is none, or says nothing.
    public func open(
        _ conversation: String, on screen: Screen, as reader: Reader = .observer, around place: Place = .newest,
        rows: Int = 50, withBodies: Bool = true,
        withMessages: Bool = false, withFonts: Bool = false
    ) async throws -> OpenWindow {
        var opening = WindowOpening(
            window: WindowID(1), conversation: try named(conversation), target: try screen.target,
            reader: try reader.wire, place: try place.wire, count: max(1, min(rows, Limits.rowsPerPage)),
            screen: screen.pixelHeight, wantsBodies: withBodies, wantsMessages: withMessages,
            wantsEditions: true, wantsUnavailable: true, rowVersion: .newest)
        opening.wantsFonts = withFonts
        return try await open(opening)
    }

    package func open(_ opening: WindowOpening) async throws -> OpenWindow {
        let session = WindowSession(
            opening, transport: transport, cache: cache, clock: clock, patience: patience)
        try await session.open()
        return OpenWindow(session)
    }
}
