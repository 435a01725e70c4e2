import Wire

/// The finding that a row of a maker was not what it is beside the folder.
struct Accusation: Equatable, Sendable {
    var maker: Peer
    var difference: Objection
}

/// Batches that are laid out by workers without the folder, before their holders store them.
extension Lender {
    /// Whether the batch goes elsewhere first, or waits for those of its file that did. Only its holder is trusted
    /// with jobs that brought a worker down, and with rows that are to be made again.
    mutating func isAway(
        _ batch: Batch, _ tickets: [Ticket], _ isProbe: Bool, _ holder: WorkerSlot, _ context: inout DispatchContext
    ) -> Bool {
        guard !remotes.isIdle else { return false }
        let state = roster[holder]
        var rows: [(place: UInt16, row: RemoteTrust.Row)] = []
        var isOwn = isProbe || state.hello.isCaretaker
        for (place, ticket) in tickets.enumerated() {
            if ticket.isDoubted { isOwn = true }
            guard case .layOut = batch.jobs[place].work else { continue }
            rows.append((UInt16(place), RemoteTrust.Row(shard: ticket.shard, message: ticket.message)))
        }
        return remotes.take(batch, isOwn: isOwn, rows: rows, for: holder, state.hello, of: state.edition, &context)
    }

    /// Sends batches that came back from elsewhere, or will not, to their holders, which store them.
    mutating func sendReleased(_ context: inout DispatchContext) {
        for release in remotes.takeReleased() {
            // A holder that was sent away with an edition has no batches any more. Another may have its slot, or the
            // same one that is back.
            guard roster.find(release.holder)?.flight(release.batch.id) != nil else { continue }
            roster[release.holder].send(release.batch.id, from: release.maker, at: context.now)
            context.say(.assign(release.batch), to: roster[release.holder].peer)
        }
    }

    /// Dismisses the makers of wrong rows; no row that came under the same key is believed.
    mutating func dismissAccused(_ entrance: inout Entrance, _ context: inout DispatchContext) {
        guard !accused.isEmpty else { return }
        for accusation in accused {
            guard let maker = remotes.known(accusation.maker) else { continue }
            let difference = accusation.difference
            let name = maker.hello.keyName
            entrance.dismiss(maker.hello, difference)
            var rows: Set<RemoteTrust.Row> = []
            for state in remotes.removeAll(under: name) {
                rows.formUnion(state.trust.rows)
                context.say(.turnedAway(entrance.dismissal(of: name) ?? difference), to: state.peer)
            }
            mending.add(rows, page: context.limits.page)
            context.report(.dismissed(maker.hello, difference, rows: rows.count))
        }
        accused = []
    }
}
