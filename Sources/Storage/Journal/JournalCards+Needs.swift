import Bytes
import Names
import Pool
import Wire

// What bodies in the log are needed for, and what goes when they are not.
extension JournalCards {
    /// What the bodies of a frame are needed for.
    struct FrameStanding {
        /// Some message of it is being laid out.
        var isWaiting = false
        var incomplete: Set<LogPosition> = []
        /// By shard, how many messages show a body of it.
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
        /// Of an older body, or a deleted message.
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
        guard let change = try changeKept(at: place, in: frame) else { return .none }
        for card in change.cards {
            guard let message = try message(card.key)?.card, message.body?.value.at == place else { continue }
            guard let job = message.lastJob, try !isGivenUp(message, retention) else { return .incomplete }
            return isDone(message, job, in: change.shard) ? .laidOut(change.shard) : .waiting
        }
        return .none
    }

    /// An end in the midst of wiping may leave both body and change as neither one thing nor the other.
    private func changeKept(at place: LogPosition, in frame: LogFrame) throws(StorageError) -> LogChange? {
        do throws(StorageError) { return try change(at: place, in: frame) } catch {
            do throws(ByteError) { _ = try LogBody.body(frame.bytes[frame.body(at: place)]) } catch { return nil }
            throw error
        }
    }

    /// Nothing was laid out of it: it waits on the shelf for somebody who mends that, unless its days are over.
    private func isGivenUp(
        _ message: MessageCard, _ retention: JournalSettings.Retention
    ) throws(StorageError) -> Bool {
        guard hasShelf, retention == .untilLaidOut else { return false }
        let query = try tables.database.prepare("SELECT 1 FROM shelf WHERE number = ? LIMIT 1")
        query.bind(message.number.number, at: 1)
        return try query.first { _ in true } ?? false
    }

    /// Up to where the time of content is over.
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

    /// Plans that the next chore looks a segment through, if it is not read at an opening: one of which less than half is left is written anew, and one
    /// of which nothing is left goes.
    /// - Returns: false where that is still to be done.
    mutating func giveBack(_ segment: SegmentName) -> Bool {
        guard segment < mergedTo.segment, !log.takePacked(segment) else { return true }
        log.plan(toPack: segment)
        return false
    }
}
