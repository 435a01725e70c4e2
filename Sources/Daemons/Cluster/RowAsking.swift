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

    /// Whom the pool takes it for. No socket gives a route without bytes.
    static let peer = Peer(route: [])

    private struct Source: Equatable {
        var host: HostID
        var served: Served
    }

    private let shards: Int
    private var source: Source?
    /// The pool knows it.
    private var isIn = false
    private var held: [(batch: BatchID, since: Moment)] = []
    /// Rows that the pool was not told of.
    private var made: [WorkerWord] = []
    private var nextBeat = Moment.start

    private static let credits: UInt16 = 4096
    private static let beat = Duration.milliseconds(500)
    /// The pool waits for no batch so long.
    private static let patience = Duration.seconds(2)

    /// - Parameter shards: of the journal.
    init(shards: Int) { self.shards = shards }

    /// What the pool is told in this turn.
    /// - Parameters:
    ///   - owner: the host that owns the log; nil where it is this one, or none.
    ///   - served: nil while nobody lays out.
    mutating func words(owner: HostID?, _ served: Served?, at now: Moment) -> [WorkerWord] {
        var words: [WorkerWord] = []
        let made = made
        self.made = []
        let wanted = owner.flatMap { owner in served.map { Source(host: owner, served: $0) } }
        if wanted != source {
            if isIn { words.append(.bye) }
            (source, held) = (wanted, [])
            isIn = wanted != nil
            nextBeat = now
            // What the pool thinks of it comes before its first beat.
            return words + (wanted.map { [.hello(Self.hello($0))] } ?? [])
        }
        guard isIn else { return words }
        words += made
        if now >= nextBeat {
            nextBeat = now + Self.beat
            held.removeAll { now - Self.patience > $0.since }
            words.append(.beat(WorkerBeat(credits: Self.credits, held: held.map(\.batch), hasStarted: false)))
        }
        return words
    }

    private static func hello(_ source: Source) -> WorkerHello {
        var hello = WorkerHello(
            edition: source.served.edition, editionName: "", process: 0, machine: "host \(source.host)",
            engine: source.served.engine)
        hello.isRemote = true
        return hello
    }

    /// Takes what the pool says to it.
    /// - Returns: a question, and the host that is to hear it.
    mutating func hear(_ word: CoordinatorWord, at now: Moment) -> (RowQuestion, HostID)? {
        switch word {
        case .assign(let batch):
            guard let source else { return nil }
            held.append((batch.id, now))
            return (
                RowQuestion(batch, of: source.served.edition, source.served.engine, shards: shards), source.host
            )
        // Said to whom the pool does not know any more: it introduces itself again.
        case .introduceYourself: if isIn { (source, isIn) = (nil, false) }
        // Its edition is gone, or a row was not what it is here: it comes again with another edition, or for another owner.
        case .leave, .turnedAway: isIn = false
        case .pulse, .offer, .piece: break
        }
        return nil
    }

    /// Rows of a batch came; none where they will not.
    mutating func take(_ rows: [UInt8], of batch: BatchID) {
        held.removeAll { $0.batch == batch }
        made.append(.made(batch, rows))
    }
}
