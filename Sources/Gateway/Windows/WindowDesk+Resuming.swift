import Conversation
import Storage
import Wire

// What a client missed.
extension WindowDesk {
    /// What a client has not heard of; it may have lost what it was told.
    func changes(of seat: Seat, since cursor: WindowCursor) throws -> GatewayWord {
        let timeline = seat.shared.timeline
        let present = seat.window
        let isPresent = cursor == present.cursor
        guard var window = isPresent ? present : seat.past(at: cursor), let steps = timeline.steps(since: cursor),
            let followed = window.follow(steps, on: timeline), let set = try filled(followed, at: seat)
        else {
            close(seat)
            throw WindowRefusal.resync
        }
        if isPresent {
            seat.window = window
            seat.remember(present, atMost: limits.past)
        } else {
            seat.goBack(to: window)
        }
        note(seat, isBehind: false)
        return .changes(set)
    }

    /// For a client that is back, and has the window that it names as it was at a moment: what followed; or the window, whole,
    /// where it cannot be known which rows of it the client has. Nil where there is no such window any more.
    func takeUp(
        _ opening: WindowOpening, of client: WindowClient, since cursor: WindowCursor, at now: ContinuousClock.Instant
    ) -> GatewayWord? {
        guard let seat = seats[client]?[opening.window], seat.wantsBodies == opening.wantsBodies,
            seat.wantsMessages == (opening.wantsBodies && opening.wantsMessages),
            seat.wantsEditions == (opening.wantsBodies && opening.wantsEditions),
            seat.wantsUnavailable == opening.wantsUnavailable, seat.rowVersion == opening.rowVersion
        else { return nil }
        let key = seat.shared.key
        guard key.conversation == opening.conversation, key.target == opening.target, key.reader == opening.reader
        else { return nil }
        seat.shared.lastUse = now
        do {
            let isKnown = seat.isSure(at: cursor) && seat.shared.timeline.steps(since: cursor) != nil
            return isKnown ? try changes(of: seat, since: cursor) : try whole(seat)
        } catch {
            return nil
        }
    }

    /// The window as it is by now; nil where it cannot follow.
    private func whole(_ seat: Seat) throws -> GatewayWord? {
        let timeline = seat.shared.timeline
        let before = seat.window
        guard let steps = timeline.steps(since: before.cursor), seat.window.follow(steps, on: timeline) != nil
        else { return nil }
        seat.remember(before, atMost: limits.past)
        note(seat, isBehind: false)
        return .window(try filled(seat.window.whole(on: timeline), at: seat))
    }
}
