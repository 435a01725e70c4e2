import Conversation
import MessageLayout
import Names
import Pool
import Storage
import Wire

// Changes that a client missed.
extension Followers {
    /// Returns changes that a client has not heard of; it may have lost the words with them.
    func changes(of seat: Seat, since cursor: WindowCursor) throws -> GatewayWord {
        guard !seat.shared.isUnprepared else {
            close(seat)
            throw WindowRefusal.unprepared
        }
        let timeline = seat.shared.timeline
        let present = seat.window
        let isPresent = cursor == present.cursor
        guard var window = isPresent ? present : seat.past(at: cursor), let steps = timeline.steps(since: cursor),
            let followed = window.follow(steps, on: timeline), let set = try answers.filled(followed, at: seat)
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

    /// Takes up the window of a client that is back, if it is still the one that the client wants.
    func takeUp(
        _ opening: WindowOpening, of client: WindowClient, since cursor: WindowCursor?, at now: ContinuousClock.Instant
    ) -> GatewayWord? {
        guard let seat = seats[client]?[opening.window], seat.wantsBodies == opening.wantsBodies,
            seat.wantsMessages == (opening.wantsBodies && opening.wantsMessages),
            seat.wantsFonts == (opening.wantsBodies && opening.wantsFonts),
            seat.wantsEditions == (opening.wantsBodies && opening.wantsEditions),
            seat.wantsUnavailable == opening.wantsUnavailable, seat.rowVersion == opening.rowVersion
        else { return nil }
        let key = seat.shared.key
        guard key.conversation == opening.conversation, key.target == opening.target, key.reader == opening.reader
        else { return nil }
        return takeUp(seat, since: cursor, at: now)
    }

    /// Takes up a window of a client that is back, and has it as it was at a moment: the answer is the changes since,
    /// or the whole window where it is not certain which rows of it the client has. Nil where the window cannot
    /// follow.
    func takeUp(_ seat: Seat, since cursor: WindowCursor?, at now: ContinuousClock.Instant) -> GatewayWord? {
        seat.shared.lastUse = now
        do {
            guard let cursor, seat.isSure(at: cursor), seat.shared.timeline.steps(since: cursor) != nil else {
                return try whole(seat)
            }
            return try changes(of: seat, since: cursor)
        } catch {
            return nil
        }
    }

    /// The window as it is by now; nil where it cannot follow.
    private func whole(_ seat: Seat) throws -> GatewayWord? {
        let timeline = seat.shared.timeline
        let before = seat.window
        guard !seat.shared.isUnprepared, let steps = timeline.steps(since: before.cursor),
            seat.window.follow(steps, on: timeline) != nil
        else { return nil }
        seat.remember(before, atMost: limits.past)
        note(seat, isBehind: false)
        return .window(try answers.filled(seat.window.whole(on: timeline), at: seat))
    }
}
