import Conversation
import Names
import Record
import Wire

/// A window, and the client that it belongs to.
final class Seat {
    let client: WindowClient
    var window: Window
    var shared: SharedTimeline
    let wantsBodies: Bool
    let wantsMessages: Bool
    let wantsRuns: Bool
    let wantsFonts: Bool
    let wantsEditions: Bool
    let wantsUnavailable: Bool
    let rowVersion: RowVersion
    /// Messages that the client was told are pending; it is told again when they get no row.
    private(set) var awaited: [MessageID] = []
    /// Whether the client took no more, and is told later.
    var isBehind = false
    /// Whether the window got other rows by an answer, which may be lost, since the client heard of the window's
    /// moment.
    private var isReshaped = false
    /// The window as it was before changes that the client was told lately, and that may still be on their way. The
    /// newest is last.
    private var past: [(window: Window, isReshaped: Bool)] = []

    init(
        _ client: WindowClient, _ window: Window, on shared: SharedTimeline, wantsBodies: Bool,
        wantsMessages: Bool = false, wantsRuns: Bool = false, wantsFonts: Bool = false, wantsEditions: Bool = false,
        wantsUnavailable: Bool = false, rowVersion: RowVersion = .first
    ) {
        (self.client, self.window, self.shared) = (client, window, shared)
        (self.wantsBodies, self.wantsMessages) = (wantsBodies, wantsBodies && wantsMessages)
        (self.wantsRuns, self.wantsFonts) = (wantsBodies && wantsRuns, wantsBodies && wantsFonts)
        (self.wantsEditions, self.wantsUnavailable) = (wantsBodies && wantsEditions, wantsUnavailable)
        self.rowVersion = rowVersion
    }

    /// Whether its answers depend on the messages.
    var needsMessages: Bool { wantsMessages || wantsFonts }

    /// An answer about a message that has no row, in words that the client knows.
    func word(_ message: MessageID, order: Int64, isAwaited: Bool) -> GatewayWord {
        isAwaited || !wantsUnavailable
            ? .pending(window.id, message, order: order) : .unavailable(window.id, message, order: order)
    }

    /// Remembers the window as it was before the changes that the client is told now.
    func remember(_ before: Window, atMost limit: Int) {
        guard before.cursor != window.cursor else { return }
        past.append((before, isReshaped))
        isReshaped = false
        if past.count > limit { past.removeFirst() }
    }

    /// Notes a message that the client waits for. The oldest is forgotten where there are too many: its client asks
    /// again, if at all.
    func await(_ message: MessageID) {
        guard wantsUnavailable, !awaited.contains(message) else { return }
        if awaited.count >= Self.mostAwaited { awaited.removeFirst() }
        awaited.append(message)
    }

    func cease(awaiting message: MessageID) { awaited.removeAll { $0 == message } }

    private static let mostAwaited = 16

    /// Notes that an answer gave the window other rows at the same moment.
    func reshape() { isReshaped = true }

    /// Notes that an answer gave it another screen: earlier windows are of no use.
    func turnOver() {
        past = []
        isReshaped = true
    }

    /// Takes the window that follows from an earlier moment, where the client still is: words since then are lost.
    func goBack(to window: Window) {
        self.window = window
        isReshaped = false
    }

    /// The earliest moment that the client may name.
    var earliest: WindowCursor { past.first?.window.cursor ?? window.cursor }

    /// The window as the client had it then.
    func past(at cursor: WindowCursor) -> Window? { past.last { $0.window.cursor == cursor }?.window }

    /// Whether a client of this moment has the rows that the window had then.
    func isSure(at cursor: WindowCursor) -> Bool {
        if cursor == window.cursor { return !isReshaped }
        return past.last { $0.window.cursor == cursor }.map { !$0.isReshaped } ?? false
    }
}
