import MessageLayout
import Names
import Pool
import Wire

/// The number of readers that asked for screens which the style does not prepare. From time to time it is told to the
/// coordinator, which lays out ahead for those that many ask for.
///
/// A reader counts once in a period, however often it asks, and one without a name does not count: one bearer of a
/// token cannot have workers prepare a screen that nobody else looks at. A screen that workers lay out for by now is
/// counted, too, as otherwise nobody would know that it is still wanted.
struct ScreenTally {
    private struct Screen {
        /// Hashes of names, under a key that is chosen anew with every start.
        var readers: Set<Int> = []
        /// Readers since it was told last.
        var new = 0
    }

    /// The screens that the style prepares; nil where they are not known: then nothing is counted.
    private let prepared: Set<Target>?
    private var screens: [Target: Screen] = [:]
    private var isNew = false
    private var toldAt: ContinuousClock.Instant?
    private var begunAt: ContinuousClock.Instant?

    static let pause: Duration = .seconds(10)
    /// The half-life of `TargetDemand`, after which counts that were told weigh half as much.
    static let period: Duration = .seconds(3600)
    private static let mostScreens = 1024
    private static let mostReaders = 1024

    init(prepared: [Target]?) { self.prepared = prepared.map { Set($0) } }

    /// - Parameter reader: the reader; nil where it has no name.
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

    /// Takes the new counts, where it is time to tell them; of very many screens those that most readers asked for.
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
