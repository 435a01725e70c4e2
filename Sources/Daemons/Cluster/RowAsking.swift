import Names
import Pool
import Replication
import Wire

/// Asks the host that owns the log for rows, in place of laying them out. Of the pool it is a worker without the folder: it takes
/// batches, and what it brings is looked at now and then, and stored beside the folder. Rows that do not come are laid out there.
struct RowAsking {
    /// Edition that is served on this host, and what the rows of its workers depend on.
    struct Served: Equatable {
        var edition: EditionID
        var engine: EngineFacts
    }

    /// Word of a worker, and the worker that the pool hears.
    struct Told: Equatable {
        var word: WorkerWord
        var peer: Peer
    }

    private struct Giver: Equatable {
        var host: HostID
        var served: Served

        var peer: Peer { Peer(route: [RowAsking.mark] + Array(host.text.utf8)) }
    }

    private let shards: Int
    private var giver: Giver?
    /// The pool knows it.
    private var isIn = false
    private var held: [(batch: BatchID, since: Moment)] = []
    /// Rows that the pool was not told of.
    private var made: [WorkerWord] = []
    private var nextBeat = Moment.start
    /// Batches in a row that came too late, and until when no more are taken.
    private var (misses, pausedUntil) = (0, Moment.start)

    /// First byte of the routes of hosts; those of libzmq begin with a zero, those of workers elsewhere and of other hosts' requests with others.
    private static let mark: UInt8 = 0xFD
    private static let credits: UInt16 = 4096
    private static let beat = Duration.milliseconds(500)
    /// The pool waits for no batch so long.
    private static let patience = Duration.seconds(1)
    private static let mostMisses = 8
    private static let pause = Duration.seconds(5)

    /// - Parameter shards: of the journal.
    init(shards: Int) { self.shards = shards }

    /// True for a peer that is a host of the cluster.
    static func isHost(_ peer: Peer) -> Bool { peer.route.first == mark }

    /// Words for the pool in this turn.
    /// - Parameters:
    ///   - owner: the host that owns the log; nil where it is this one, or none.
    ///   - served: nil while nobody lays out.
    mutating func words(owner: HostID?, _ served: Served?, at now: Moment) -> [Told] {
        let (before, made) = (giver, made)
        self.made = []
        let wanted = owner.flatMap { owner in served.map { Giver(host: owner, served: $0) } }
        if wanted != before {
            let bye = before.flatMap { isIn ? Told(word: .bye, peer: $0.peer) : nil }
            (giver, held, misses, pausedUntil) = (wanted, [], 0, now)
            isIn = wanted != nil
            nextBeat = now
            // What the pool thinks of it comes before its first beat.
            let hello = wanted.map { Told(word: .hello(Self.hello($0)), peer: $0.peer) }
            return [bye, hello].compactMap(\.self)
        }
        guard isIn, let giver else { return [] }
        let beat = now >= nextBeat ? [WorkerWord.beat(nextBeat(at: now))] : []
        return (made + beat).map { Told(word: $0, peer: giver.peer) }
    }

    private mutating func nextBeat(at now: Moment) -> WorkerBeat {
        nextBeat = now + Self.beat
        let count = held.count
        held.removeAll { now - Self.patience > $0.since }
        misses += count - held.count
        // It is there, and too slow: everything would wait for it, and be laid out here all the same.
        if misses >= Self.mostMisses { (misses, pausedUntil) = (0, now + Self.pause) }
        let credits = now < pausedUntil ? 0 : Self.credits
        return WorkerBeat(credits: credits, held: held.map(\.batch), hasStarted: false)
    }

    private static func hello(_ giver: Giver) -> WorkerHello {
        var hello = WorkerHello(
            edition: giver.served.edition, editionName: "", process: 0, machine: "host \(giver.host)",
            engine: giver.served.engine)
        hello.isRemote = true
        return hello
    }

    /// Takes what the pool says to it.
    /// - Returns: a question, and the host that is to hear it.
    mutating func hear(_ word: CoordinatorWord, _ peer: Peer, at now: Moment) -> (RowQuestion, HostID)? {
        guard let giver, giver.peer == peer else { return nil }
        switch word {
        case .assign(let batch):
            held.append((batch.id, now))
            return (RowQuestion(batch, of: giver.served.edition, giver.served.engine, shards: shards), giver.host)
        // Said to whom the pool does not know any more: it introduces itself again.
        case .introduceYourself: if isIn { (self.giver, isIn) = (nil, false) }
        // Its edition is gone, or a row was not what it is here: it comes again with another edition, or for another owner.
        case .leave, .turnedAway: isIn = false
        case .pulse, .offer, .piece: break
        }
        return nil
    }

    /// Rows of a batch came; none where they will not. Those that this host was not asked for, or not any more, are nobody's.
    mutating func take(_ rows: [UInt8], of batch: BatchID, from host: HostID) {
        guard giver?.host == host, let place = held.firstIndex(where: { $0.batch == batch }) else { return }
        held.remove(at: place)
        misses = 0
        made.append(.made(batch, rows))
    }
}
