import Bytes
import Names
import Operations
import Pool
import Storage
import Transport
import Wire

private let log = Log("coordinator")

extension CoordinatorLoop {
    mutating func hearWorkers() throws {
        for _ in 0..<Self.framesPerTurn {
            guard let parts = try workers.receive() else { return }
            let word: WorkerWord
            do throws(ByteError) {
                word = try Framed<WorkerWord>(decoding: parts.count == 2 ? parts[1] : []).word
            } catch {
                log.warning(
                    "a worker sent what cannot be read; is its version the same as ours?", ["reason": "\(error)"])
                continue
            }
            try handle(.heard(word, from: Peer(route: parts[0])))
        }
    }

    mutating func perform(_ effect: Dispatcher.Effect) throws {
        switch effect {
        case .say(let word, let peer):
            switch try workers.send(peer.route, Framed(word).encoded()) {
            case .done: break
            case .full, .gone: try handle(.unreachable(peer))
            }
        case .ready(let rows, let edition):
            // Nobody listens, or one listener is slow: they will look for themselves.
            _ = try ready.send(Framed(ReadyWord(edition: edition, rows: rows)).encoded())
        case .fetchUnfinished(let edition, let shard, let after, let limit):
            let page = try journal.unfinished(in: shard, of: edition, after: after, limit: limit)
            try handle(.unfinished(page, edition, shard))
        case .fetchMessages(let edition, let shard, let after, let limit):
            let jobs = try journal.messages(in: shard, after: after, limit: limit)
            try handle(.messages(jobs, edition, shard))
        case .evict(let process, let machine):
            guard machine == (try Machine.name()) else { return }
            // Only who started it may end it.
            ServiceManager.current.evict(process)
        case .serve(let view): try ServedEdition(view).write(in: folder)
        case .retire(let edition): try forget(edition)
        case .report(let notice): tell(notice)
        case .drained: noteDrained()
        }
    }

    private func tell(_ notice: Dispatcher.Notice) {
        switch notice {
        case .workerJoined(_, let hello):
            log.info("a worker joined", ["process": .number(Int(hello.process)), "edition": "\(hello.edition)"])
        case .turnedAway(let hello, let objection):
            log.warning(
                "turned a worker away",
                [
                    "process": .number(Int(hello.process)), "machine": "\(hello.machine)",
                    "reason": "\(objection.text)",
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
