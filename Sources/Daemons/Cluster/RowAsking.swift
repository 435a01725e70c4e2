import Names
import Pool
import Replication
import Wire

/// Asks the host that owns the log for rows, in place of laying them out. To the pool it is a worker without the
/// folder: it takes batches, and its rows are checked now and then, and stored beside the folder. Rows that do not
/// come are laid out there.
struct RowAsking {
    /// The edition that is served on this host, and the engine that the rows of its workers depend on.
    struct Served: Equatable {
        var edition: EditionID
        var engine: EngineFacts
    }

    /// The word of a worker, and the worker that the pool hears.
    struct Told: Equatable {
        var word: WorkerWord
        var peer: Peer
    }

    private struct Giver: Equatable {
        var host: HostID
        var served: Served

        var peer: Peer { RowAsking.peer(host) }
    }

    private let shards: Int
    private var giver: Giver?
    /// Whether the pool knows it.
    private var isIn = false
    private var held: [(batch: BatchID, since: Moment)] = []
    /// Rows that the pool was not told of.
    private var made: [WorkerWord] = []
    private var nextBeat = Moment.start
    /// The number of batches in a row that came too late, and the time until which no more are taken.
    private var (misses, pausedUntil) = (0, Moment.start)

    /// The first byte of the routes of hosts. Routes of libzmq begin with a zero, those of workers elsewhere and of
    /// other hosts' requests with other bytes.
    private static let mark: UInt8 = 0xFD
    private static let credits: UInt16 = 4096
    private static let beat = Duration.milliseconds(500)
    /// The pool does not wait so long for a batch.
    private static let patience = Duration.seconds(1)
    private static let mostMisses = 8
    private static let pause = Duration.seconds(5)

    /// - Parameter shards: the number of the journal's shards.
    init(shards: Int) { self.shards = shards }

    /// The peer that a host is to the pool.
    static func peer(_ host: HostID) -> Peer { Peer(route: [mark] + Array(host.text.utf8)) }

    /// Whether a peer is a host of the cluster.
    static func isHost(_ peer: Peer) -> Bool { peer.route.first == mark }

    /// The words for the pool in this turn.
    /// - Parameters:
    ///   - owner: the host that owns the log; nil where it is this one, or none.
    ///   - served: nil while nothing is laid out.
    mutating func words(owner: HostID?, _ served: Served?, at now: Moment) -> [Told] {
        let (before, made) = (giver, made)
        self.made = []
        let wanted = owner.flatMap { owner in served.map { Giver(host: owner, served: $0) } }
        if wanted != before {
            let bye = before.flatMap { isIn ? Told(word: .bye, peer: $0.peer) : nil }
            (giver, held, misses, pausedUntil) = (wanted, [], 0, now)
            isIn = wanted != nil
            nextBeat = now
            // The pool's answer to it comes before its first beat.
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
        // The other host is there, and too slow: everything would wait for it, and be laid out here all the same.
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

    /// Takes a word of the pool.
    /// - Returns: a question, and the host that is to hear it.
    mutating func hear(_ word: CoordinatorWord, _ peer: Peer, at now: Moment) -> (RowQuestion, HostID)? {
        guard let giver, giver.peer == peer else { return nil }
        switch word {
        case .assign(let batch):
            held.append((batch.id, now))
            return (RowQuestion(batch, of: giver.served.edition, giver.served.engine, shards: shards), giver.host)
        // The pool says this to a worker that it does not know any more: it introduces itself again.
        case .introduceYourself: if isIn { (self.giver, isIn) = (nil, false) }
        // Its edition is gone, or a row differed from the one made here: it comes again with another edition, or for
        // another owner.
        case .leave, .turnedAway: isIn = false
        case .pulse, .offer, .piece: break
        }
        return nil
    }

    /// Takes the rows of a batch; none where they will not come. Rows that this host did not ask for, or does not
    /// want any more, are dropped.
    mutating func take(_ rows: [UInt8], of batch: BatchID, from host: HostID) {
        guard giver?.host == host, let place = held.firstIndex(where: { $0.batch == batch }) else { return }
        held.remove(at: place)
        misses = 0
        made.append(.made(batch, rows))
    }
}
