package import Wire

/// Words of workers that have no folder: they lay out, and their rows are stored beside the folder.
extension Dispatcher {
    mutating func hear(_ word: WorkerWord, fromRemote place: Int, _ peer: Peer) {
        lender.remotes.hear(at: place, context.now)
        switch word {
        case .hello, .seek: break  // heard already
        case .beat(let beat): lender.remotes.hear(beat, from: place, context)
        case .made(let batch, let rows):
            lender.remotes.take(rows, of: batch, from: place)
            lender.sendReleased(&context)
        case .fetch(let part): context.perform(.supply(part, to: peer))
        case .bye:
            lender.remotes.remove(place)
            context.report(.workerLeft(peer))
            lender.sendReleased(&context)
        // It has no file. Figures do not concern the pool.
        case .finished, .synced, .figures: break
        }
    }

    /// Answers a worker that asks for work: with the served edition, or the next one where that has fewer workers of
    /// its kind.
    mutating func offer(to seek: WorkerSeek, _ peer: Peer) {
        guard let service = roll.service else { return }
        let editions = [service.current, service.next].compactMap(\.self).filter { id in
            roll.slot(of: id).map { roll[$0].workers > 0 } ?? false
        }
        guard let edition = editions.min(by: { helpers(of: $0) < helpers(of: $1) }) else { return }
        let objection =
            entrance.dismissal(of: seek.keyName)
            ?? Entrance.objection(to: seek.engine, besides: lender.roster.engine(of: edition))
        guard let objection else { return context.perform(.offer(edition, to: peer)) }
        entrance.note(seek.process, seek.machine, objection)
        context.say(.turnedAway(objection), to: peer)
        let hello = WorkerHello(edition: edition, editionName: "", process: seek.process, machine: seek.machine)
        context.report(.turnedAway(hello, objection))
    }

    /// Has workers without the folder make rows of these shards alone; one that is not named makes rows of all.
    package mutating func lend(only shards: [Peer: Set<Shard>]) { lender.remotes.shards = shards }

    private func helpers(of edition: EditionID) -> Int {
        roll.slot(of: edition).map { lender.remotes.count(of: $0) } ?? 0
    }

    /// Adds a worker that the entrance has let in.
    mutating func admit(remote hello: WorkerHello, _ peer: Peer) {
        guard let edition = roll.slot(of: hello.edition) else { return context.say(.leave, to: peer) }
        lender.remotes.add(RemoteState(hello, peer, of: edition, at: context.now))
        context.report(.workerJoined(peer, hello))
        if !context.added.isEmpty { context.say(.pulse(context.added), to: peer) }
    }

    mutating func lookAfterRemotes() {
        lender.remotes.expire(&context)
        let slots = roll.slots
        let others = lender.remotes.keep(
            where: slots.contains, { [roster = lender.roster] in roster.engine(of: $0) }, &context)
        for (hello, objection) in others {
            entrance.note(hello.process, hello.machine, objection)
            context.report(.turnedAway(hello, objection))
        }
    }
}
