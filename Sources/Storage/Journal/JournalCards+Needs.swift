import Bytes
import Names
import Pool
import Wire

// The needs for bodies in the log, and the return of room that nothing needs.
extension JournalCards {
    /// The needs for the bodies of a frame.
    struct FrameStanding {
        /// Whether a message of it is being laid out.
        var isWaiting = false
        var incomplete: Set<LogPosition> = []
        /// The number of messages that show a body of it, by shard.
        var laidOut: [Int: Int] = [:]
    }

    mutating func standing(
        of frame: LogFrame, _ retention: JournalSettings.Retention
    ) throws(StorageError) -> FrameStanding {
        var standing = FrameStanding()
        for place in frame.places where !frame.body(at: place).isEmpty {
            switch try need(of: place, in: frame, retention) {
            case .none: continue
            case .incomplete: standing.incomplete.insert(place)
            case .waiting: return FrameStanding(isWaiting: true)
            case .laidOut(let shard): standing.laidOut[Int(shard.number), default: 0] += 1
            }
        }
        return standing
    }

    enum Need: Equatable {
        /// Nothing needs it: it is an older body, or one of a deleted message.
        case none
        /// Its message has no row yet, and may get one.
        case incomplete
        /// It is being laid out.
        case waiting
        case laidOut(Shard)
    }

    mutating func need(
        of place: LogPosition, in frame: LogFrame, _ retention: JournalSettings.Retention
    ) throws(StorageError) -> Need {
        let kept: LogChange?
        do throws(StorageError) { kept = try changeKept(at: place, in: frame) } catch {
            // Nobody can say which message shows its body.
            log.noteDamage(at: place, error)
            return .incomplete
        }
        guard let change = kept else { return .none }
        for card in change.cards {
            guard let message = try message(card.key)?.card, message.body?.value.at == place else { continue }
            guard let job = message.lastJob, try !isGivenUp(message, retention) else { return .incomplete }
            return isDone(message, job, in: change.shard) ? .laidOut(change.shard) : .waiting
        }
        return .none
    }

    /// The change of an entry; nil where it was dropped, or where a crash in the midst of wiping
    /// has left neither body nor change readable.
    private func changeKept(at place: LogPosition, in frame: LogFrame) throws(StorageError) -> LogChange? {
        do throws(StorageError) { return try change(at: place, in: frame) } catch {
            do throws(ByteError) { _ = try LogBody.body(frame.bytes[frame.body(at: place)]) } catch { return nil }
            throw error
        }
    }

    /// Whether nothing was laid out of the message, so that it waits on the shelf for somebody to
    /// mend that. With retention in days it counts as laid out, and its content goes with its time.
    private func isGivenUp(
        _ message: MessageCard, _ retention: JournalSettings.Retention
    ) throws(StorageError) -> Bool {
        guard hasShelf, retention == .untilLaidOut else { return false }
        let query = try tables.database.prepare("SELECT 1 FROM shelf WHERE number = ? LIMIT 1")
        query.bind(message.number.number, at: 1)
        return try query.first { _ in true } ?? false
    }

    /// The last entry whose content is past its time.
    func forgettable(
        _ retention: JournalSettings.Retention, day: Int, next: LogPosition
    ) throws(StorageError) -> LogPosition {
        switch retention {
        case .forever: return LogPosition(-1)
        case .untilLaidOut: return LogPosition(next.number - 1)
        case .days(let days):
            let first = try tables.database.prepare("SELECT max(position) FROM days WHERE day < ?1 - ?2")
            var place: Int64 = 0
            try first.run(.integer(Int64(day)), .integer(Int64(days))) { row throws(StorageError) in
                place = row.integer(0)
            }
            return LogPosition(place - 1)
        }
    }

    /// Plans that the next chore looks through a segment that no opening reads any more: one with
    /// less than half of it left is rewritten, and one with nothing left is removed.
    /// - Returns: false where that is still to be done.
    mutating func giveBack(_ segment: SegmentName) -> Bool {
        guard segment < mergedTo.segment, !log.takePacked(segment) else { return true }
        log.plan(toPack: segment)
        return false
    }

    /// Plans that a segment without entries goes: the sweep goes from entry to entry, and never comes to one.
    mutating func giveBackWithoutEntries() {
        if let segment = log.firstWithoutEntries { _ = giveBack(segment) }
    }
}
