import MessageLayout
import Wire

/// How often screens were asked for that the style does not prepare: from time to time the coordinator is told, who lays out ahead
/// for those that are asked for often.
///
/// Also of a screen that workers lay out for by now, as otherwise nobody would know that it is still wanted.
struct ScreenTally {
    /// Nil where it is not known what the style prepares: then nothing is counted.
    private let prepared: Set<Target>?
    private var counts: [Target: Int] = [:]
    private var toldAt: ContinuousClock.Instant?

    static let pause: Duration = .seconds(10)
    private static let mostScreens = 1024

    init(prepared: [Target]?) { self.prepared = prepared.map { Set($0) } }

    mutating func count(_ target: Target) {
        guard let prepared, !prepared.contains(target) else { return }
        guard counts[target] != nil || counts.count < Self.mostScreens else { return }
        counts[target, default: 0] += 1
    }

    /// What is new, where it is time to tell; of very many screens those that were asked for most.
    mutating func take(atMost limit: Int, at now: ContinuousClock.Instant) -> [WantedTarget] {
        guard !counts.isEmpty, toldAt.map({ $0 + Self.pause <= now }) ?? true else { return [] }
        toldAt = now
        defer { counts.removeAll(keepingCapacity: true) }
        let wanted = counts.map { WantedTarget($0.key, times: $0.value) }
        return Array(wanted.sorted { $0.times > $1.times }.prefix(limit))
    }
}
