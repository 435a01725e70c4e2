package import MessageLayout
import Wire

/// Screens that are laid out for beside those of the style.
extension Dispatcher {
    /// What workers of the edition that is served lay out for anyway, as far as one has said so.
    package var prepared: [Target] { servedDesk.map { editions[$0].targets } ?? [] }

    mutating func settleTargets() {
        let before = demand.targets
        guard demand.settle(at: now, limits.demand) else { return }
        note.added = demand.added
        tellTargets(since: before)
    }

    /// By hand. Says why not, where it cannot be.
    package func objection(toPreparing target: Target) -> String? {
        if prepared.contains(target) { return "the style that is served prepares \(target.text)" }
        let isThere = demand.targets.contains(target)
        guard isThere || demand.added.count < Wire.Limits.addedTargets else {
            return "\(Wire.Limits.addedTargets) targets are added, and more cannot be: forget one of them"
        }
        return nil
    }

    mutating func prepare(_ target: Target) {
        let before = demand.targets
        guard objection(toPreparing: target) == nil, demand.add(target) else { return }
        note.added = demand.added
        tellTargets(since: before)
    }

    mutating func forget(_ target: Target) {
        let before = demand.targets
        guard demand.forget(target) else { return }
        note.added = demand.added
        tellTargets(since: before)
    }

    /// Workers hear of it at once, and again with every pulse, as any word may be lost.
    private mutating func tellTargets(since before: [Target]) {
        guard demand.targets != before else { return }
        let added = demand.targets.filter { !before.contains($0) }
        perform(.report(.targets(added: added, gone: before.filter { !demand.targets.contains($0) })))
        pulse()
        for edition in editions.indices { haveShardsLookedAt(edition) { _ in true } }
    }

    /// Whoever has a shard extends what is there: those that nobody has, as nothing waits in them, are given to somebody.
    mutating func haveShardsLookedAt(_ edition: Int, where isMeant: (ShardDesk) -> Bool) {
        guard !demand.targets.isEmpty else { return }
        for shard in editions[edition].shards.indices
        where editions[edition].shards[shard].origin != nil && isMeant(editions[edition].shards[shard]) {
            editions[edition].shards[shard].isInDoubt = true
        }
    }
}
