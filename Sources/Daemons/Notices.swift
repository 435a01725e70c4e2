import Names
import Operations
import Pool
import Wire

private let log = Log("coordinator")

/// Log entries for the notices of a dispatcher.
extension Dispatcher.Notice {
    /// Writes it to the log of the coordinator.
    func tell() {
        switch self {
        case .workerJoined(_, let hello):
            log.info(
                "a worker joined",
                [
                    "process": .number(Int(hello.process)), "edition": "\(hello.edition)",
                    "engine": "\(hello.engine?.digest ?? "none")",
                    "elsewhere": "\(hello.isRemote ? hello.machine : "no")",
                ])
        case .turnedAway(let hello, let objection):
            log.warning(
                "turned a worker away",
                [
                    "process": .number(Int(hello.process)), "machine": "\(hello.machine)",
                    "reason": "\(objection.text)",
                ])
        case .dismissed(let hello, let objection, let rows):
            log.error(
                "a host made a wrong row, and is let in no more; look after its memory and packages, and forbid its key",
                [
                    "key": "\(hello.holder ?? "none")", "machine": "\(hello.machine)",
                    "process": .number(Int(hello.process)), "reason": "\(objection.text)", "made_again": .number(rows),
                ])
        case .workerLost(_, let loss, let jobs):
            log.warning("a worker was lost", ["how": "\(loss)", "jobs": .number(jobs)])
        case .workerLeft: log.info("a worker left")
        case .suspected(let place, let strikes, let doubts):
            log.warning(
                "a worker was lost over one job",
                ["place": "\(place.text)", "strikes": .number(strikes), "doubts": .number(doubts)])
        case .blocked(let edition, let shard, let objection, let holder):
            log.warning(
                "a shard cannot be written",
                [
                    "edition": "\(edition)", "shard": .number(Int(shard.number)), "reason": "\(objection.text)",
                    "last_worker": .number(Int(holder?.process ?? 0)),
                ])
        case .shelved(let job):
            log.warning(
                "gave up a message",
                [
                    "conversation": .id(job.key.conversation.text), "message_id": .id(job.key.message.text),
                    "place": "\(job.place.text)", "reason": "\(job.reason.text)",
                ])
        case .rebuilding(let edition, let shard):
            log.warning(
                "a shard was lost, and is laid out again",
                ["edition": "\(edition)", "shard": .number(Int(shard.number))])
        case .rolling(let edition): log.info("laying out a new edition", ["edition": "\(edition)"])
        case .dropped(let edition):
            log.info("dropped an edition that was being laid out, as another is wanted", ["edition": "\(edition)"])
        case .switched(let old, let new):
            log.info("serving another edition", ["edition": "\(new)", "before": "\(old?.text ?? "none")"])
        case .unattended(let edition):
            log.warning(
                "no worker lays out the edition that is served; new messages are accepted and not shown",
                ["edition": "\(edition)"])
        case .attended(let edition):
            log.info("a worker lays out the edition that is served again", ["edition": "\(edition)"])
        case .targets(let added, let gone):
            log.info(
                "other screens are laid out for",
                [
                    "added": "\(added.map(\.text).joined(separator: " "))",
                    "gone": "\(gone.map(\.text).joined(separator: " "))",
                ])
        case .stranger(let hello):
            log.warning(
                "turned a worker away, as nobody wants its edition; forme pool roll STYLE has one laid out",
                [
                    "edition": "\(hello.edition)", "name": "\(hello.editionName)",
                    "process": .number(Int(hello.process)),
                ])
        case .tooMany(let limit): log.warning("turned a worker away", ["too_many": "\(limit)"])
        }
    }
}
