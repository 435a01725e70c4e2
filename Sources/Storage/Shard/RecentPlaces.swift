import Bytes
import Names
import Wire

/// The places of new rows that are not in the table `places` yet, in the memory of each connection
/// that asks for places. They are made from the change log, which has them anyway, and follow it.
struct RecentPlaces: ~Copyable {
    /// The state of the file that the list is of.
    private struct Standing: Equatable {
        var origin: ShardOrigin
        var generation: Generation
        var stamp: Stamp
        var merge: PlaceMerge
    }

    private let path: String
    private let isMerged: Statement
    /// The query for the progress of merging; nil for a file of an earlier build, which has all places in its table.
    private var merge: Statement?
    private let changes: Statement
    private(set) var list = PlaceList()
    /// The state that the list is of; nil where all is to be read anew.
    private var standing: Standing?

    /// The progress of merging at the last look, or by this connection since.
    var merged: PlaceMerge { standing?.merge ?? .complete }

    init(_ database: borrowing Database) throws(StorageError) {
        let isMerged = try database.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'placing'")
        let changes = try database.prepare("SELECT stamp, list FROM changes WHERE stamp > ? ORDER BY stamp")
        path = database.path
        self.isMerged = isMerged
        merge = nil
        self.changes = changes
    }

    /// Reads the changes since the last look, so that the list is of this moment.
    mutating func follow(
        _ database: borrowing Database, _ origin: ShardOrigin, _ generation: Generation, _ stamp: Stamp
    ) throws(StorageError) {
        // A worker may bring an older file to this format while it is read.
        if merge == nil, try isMerged.first({ row in row.integer(0) }) == 1 {
            merge = try database.prepare(PlaceMerge.query)
        }
        let merge = try merge?.first { row in PlaceMerge(row) } ?? .complete
        let now = Standing(origin: origin, generation: generation, stamp: stamp, merge: merge)
        guard now != standing else { return }
        var start: Int64?
        if let standing, standing.origin == origin, standing.generation == generation, standing.stamp <= stamp,
            standing.merge.placed == merge.placed
        {
            start = Int64(bitPattern: standing.stamp.number)
            if standing.merge != merge { dropPlaced(by: merge) }
        }
        // A failure from here on leaves a list that is of no known state.
        standing = nil
        if start == nil { list.removeAll() }
        if merge.placed != .max { try read(after: start ?? merge.since.stamp, merge) }
        standing = now
    }

    /// Forgets what the list is of, as a transaction that changed it came to nothing.
    mutating func forget() { standing = nil }

    private mutating func read(after stamp: Int64, _ merge: PlaceMerge) throws(StorageError) {
        changes.bind(stamp, at: 1)
        defer { changes.reset() }
        while let row = try changes.next() {
            do throws(ByteError) {
                for entry in try ChangeEntry.list(row.blob(1)) { take(entry, merge) }
            } catch {
                throw .corrupt(path: path, "its change log cannot be read: \(error)")
            }
        }
    }

    private mutating func take(_ entry: ChangeEntry, _ merge: PlaceMerge) {
        let position = Position(order: entry.order, message: entry.message)
        let isRow = entry.kind == .laidOut || entry.kind == .touched
        if isRow, !merge.isPlaced(entry.number.number, in: entry.conversation) {
            return list.put(entry.number, entry.conversation, position)
        }
        if entry.number.number > merge.placed { list.remove(entry.number) }
        // Where two rows claim one place, the later one has it.
        if isRow { list.remove(entry.conversation, position) }
    }

    private mutating func dropPlaced(by merge: PlaceMerge) {
        list.removeAll { conversation, number in merge.isPlaced(number, in: conversation) }
    }

    mutating func put(_ number: MessageNumber, _ conversation: Int64, _ position: Position) {
        list.put(number, conversation, position)
    }

    mutating func remove(_ number: MessageNumber) { list.remove(number) }

    /// - Returns: whether there was one.
    mutating func remove(_ conversation: Int64, _ position: Position) -> Bool { list.remove(conversation, position) }

    /// Takes up the progress of a merge by this connection.
    mutating func take(_ merge: PlaceMerge) {
        dropPlaced(by: merge)
        standing?.merge = merge
    }

    /// Notes a commit of this connection, whose places are in the list already.
    mutating func note(_ stamp: Stamp) { standing?.stamp = stamp }
}
