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
            guard let message = try sockets.nextOfWorkers() else { return }
            let word: WorkerWord
            do throws(ByteError) {
                word = try Framed<WorkerWord>(decoding: message.frame).word
            } catch {
                log.warning(
                    "a worker sent what cannot be read; is its version the same as ours?", ["reason": "\(error)"])
                continue
            }
            if case .figures(let more) = word {
                figures.note(more)
            } else {
                try handle(.heard(word.held(by: message.holder), from: message.peer))
            }
        }
    }

    mutating func perform(_ effect: Dispatcher.Effect) throws {
        switch effect {
        case .say(let word, let host) where RowAsking.isHost(host): try cluster?.hear(word, host, at: clock.now)
        case .say(let word, let peer):
            switch try sockets.send(word, toWorker: peer) {
            case .done: traces.note(word)
            case .full, .gone: try handle(.unreachable(peer))
            }
        case .ready(let rows, let edition):
            // Where there is no listener, or a slow one, gateways find the rows by themselves.
            let start = Traces.start
            _ = try sockets.ready.send(Framed(ReadyWord(edition: edition, rows: rows)).encoded())
            CoordinatorTraces.note(rows, from: start)
        case .fetchUnfinished(let id, let shard, let after, let limit):
            try handle(.unfinished(journal.unfinished(in: shard, of: id, after: after, limit: limit), id, shard))
        case .fetchRemovals(let id, let shard, let after, let limit):
            try handle(.removals(journal.unfinished(in: shard, of: id, after: after, limit: limit), id, shard))
        case .fetchMessages(let edition, let shard, let after, let limit):
            try handle(.messages(journal.messages(in: shard, after: after, limit: limit), edition, shard))
        case .fetchRecent(let edition, let shard, let walk, let limit):
            let page = try journal.recent(in: shard, after: walk, limit: limit)
            // Nothing will come that wakes it: there is more to read.
            if page.jobs.isEmpty { isLooking = true }
            try handle(.recent(page, edition, shard))
        case .fetchWished(let edition, let shard, let messages):
            try handle(.wished(journal.jobs(of: messages, in: shard), of: messages, edition, shard))
        case .fetchDoubted(let edition, let shard, let messages):
            try handle(.doubted(journal.jobs(of: messages, in: shard), edition, shard))
        case .offer(let edition, let peer): try perform(.say(supply.offer(edition), to: peer))
        case .supply(let part, let peer):
            try perform(.say(supply.piece(part).map { CoordinatorWord.piece(part, $0) } ?? .leave, to: peer))
        case .evict(let process, let machine):
            guard machine == (try Machine.name()) else { return }
            // Only the process that started it may end it.
            ServiceManager.current.evict(process)
        case .serve(let view): try ServedEdition(view).write(in: folder)
        case .retire(let edition): try forget(edition)
        case .report(let notice): try figures.tell(notice)
        case .drained: noteDrained()
        }
    }
}

extension WorkerWord {
    /// The same word, with the holder of its key, which only the socket knows.
    fileprivate func held(by holder: String?) -> WorkerWord {
        switch self {
        case .hello(var hello):
            hello.holder = holder
            return .hello(hello)
        case .seek(var seek):
            seek.holder = holder
            return .seek(seek)
        case .beat, .finished, .synced, .bye, .fetch, .made, .figures: return self
        }
    }
}
