import MessageLayout
import Names
import Pool
import Wire

/// How many readers asked for screens that the style does not prepare: from time to time the coordinator is told, who lays out ahead
/// for those that many ask for.
///
/// A reader counts once in a period, however often he asks, and who reads as nobody does not count: one bearer of a token cannot
/// have workers prepare what nobody else looks at. Also counted is a screen that workers lay out for by now, as otherwise nobody would
/// know that it is still wanted.
struct ScreenTally {
    private struct Screen {
        /// Hashes of names, under a key that is chosen anew with every start.
        var readers: Set<Int> = []
        /// Since it was told last.
        var new = 0
    }

    /// Nil where it is not known what the style prepares: then nothing is counted.
    private let prepared: Set<Target>?
    private var screens: [Target: Screen] = [:]
    private var isNew = false
    private var toldAt: ContinuousClock.Instant?
    private var begunAt: ContinuousClock.Instant?

    static let pause: Duration = .seconds(10)
    /// That of `TargetDemand`, in which what was told counts half as much.
    static let period: Duration = .seconds(3600)
    private static let mostScreens = 1024
    private static let mostReaders = 1024

    init(prepared: [Target]?) { self.prepared = prepared.map { Set($0) } }

    /// - Parameter reader: nil for somebody who reads as nobody.
    mutating func count(_ target: Target, for reader: SenderID?) {
        guard let reader, let prepared, target.mayBePrepared, !prepared.contains(target) else { return }
        guard screens[target] != nil || screens.count < Self.mostScreens else { return }
        let hash = reader.hashValue
        guard screens[target]?.readers.count ?? 0 < Self.mostReaders,
            screens[target, default: Screen()].readers.insert(hash).inserted
        else { return }
        screens[target]?.new += 1
        isNew = true
    }

    /// What is new, where it is time to tell; of very many screens those that were asked for by most.
    mutating func take(atMost limit: Int, at now: ContinuousClock.Instant) -> [WantedTarget] {
        if begunAt == nil { begunAt = now }
        if let begunAt, begunAt + Self.period <= now, !isNew { (screens, self.begunAt) = ([:], now) }
        guard isNew, toldAt.map({ $0 + Self.pause <= now }) ?? true else { return [] }
        (toldAt, isNew) = (now, false)
        let wanted = screens.filter { $0.value.new > 0 }.map { WantedTarget($0.key, times: $0.value.new) }
        for one in wanted { screens[one.target]?.new = 0 }
        return Array(wanted.sorted { $0.times > $1.times }.prefix(limit))
    }
}
