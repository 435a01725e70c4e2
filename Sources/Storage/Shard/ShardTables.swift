import Pool
import Wire

/// One connection to the file of a shard, with its prepared statements.
struct ShardTables: ~Copyable {
    static let format = StoredFormat.shards.newest
    /// Files of format 2 are taken along: they have all places in their table. In those of format 3 no head has heights.
    static let knownFormats = StoredFormat.shards.reads

    static let schema = """
        CREATE TABLE meta (
            id INTEGER PRIMARY KEY CHECK (id = 1), origin INTEGER NOT NULL, era INTEGER NOT NULL,
            generation INTEGER NOT NULL, epoch INTEGER NOT NULL, boot TEXT NOT NULL,
            evicted INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE conversations (number INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE);
        CREATE TABLE roles (
            number INTEGER PRIMARY KEY, template BLOB NOT NULL, joins INTEGER NOT NULL, UNIQUE (template, joins));
        CREATE TABLE rows (
            number INTEGER PRIMARY KEY, job INTEGER NOT NULL, head BLOB NOT NULL, layout BLOB NOT NULL,
            measured BLOB NOT NULL);
        CREATE TABLE places (
            conversation INTEGER NOT NULL, position INTEGER NOT NULL, message BLOB NOT NULL, number INTEGER NOT NULL,
            PRIMARY KEY (conversation, position, message)) WITHOUT ROWID;
        CREATE TABLE blocks (
            number INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, position INTEGER NOT NULL, message BLOB NOT NULL,
            torn INTEGER NOT NULL, block BLOB NOT NULL, UNIQUE (conversation, position, message));
        CREATE INDEX torn ON blocks (conversation) WHERE torn = 1;
        CREATE TABLE tombstones (number INTEGER PRIMARY KEY, job INTEGER NOT NULL);
        CREATE TABLE changes (stamp INTEGER PRIMARY KEY, total INTEGER NOT NULL, list BLOB NOT NULL);
        \(PlaceMerge.schema);
        """

    /// The standing of the file, as one transaction sees it.
    struct Standing {
        var origin: ShardOrigin
        var generation: Generation
        var epoch: LeaseEpoch
        var boot: String
        /// The stamp of the last commit.
        var stamp: Stamp
        /// The number of changes that were ever noted.
        var total: Int64
        /// The greatest number that a row or a tombstone has.
        var lastNumber: Int64
    }

    static let standing = """
        SELECT m.origin, m.generation, m.epoch, m.boot, ifnull(c.stamp, 0), ifnull(c.total, 0),
            max(ifnull((SELECT max(number) FROM rows), 0), ifnull((SELECT max(number) FROM tombstones), 0))
        FROM meta m LEFT JOIN changes c ON c.stamp = (SELECT max(stamp) FROM changes)
        """

    let files: ShardFiles
    let database: Database
    let standing: Statement
    let setEpoch: Statement
    let findConversation: Statement
    let addConversation: Statement
    let nextConversations: Statement
    let roles: StoredRoles
    let findRole: Statement
    let addRole: Statement
    let findRow: Statement
    var blocks: StoredBlocks
    var extended: ExtensionTable
    let lost: LostRows
    let nextRows: Statement
    let setEvicted: Statement
    let putRow: Statement
    let setHead: Statement
    let dropRow: Statement
    let putPlace: Statement
    let dropPlace: Statement
    let clearPlace: Statement
    var recent: RecentPlaces
    let setMerge: Statement
    let findTombstone: Statement
    let putTombstone: Statement
    let dropTombstone: Statement
    let putChanges: Statement
    let oldestChanges: Statement
    let dropChanges: Statement

    init(_ database: consuming Database, _ place: ShardPlace) throws(StorageError) {
        let standing = try database.prepare(Self.standing)
        let setEpoch = try database.prepare("UPDATE meta SET epoch = ?, boot = ?")
        let findConversation = try database.prepare("SELECT number FROM conversations WHERE name = ?")
        let addConversation = try database.prepare("INSERT INTO conversations (name) VALUES (?) RETURNING number")
        let nextConversations = try database.prepare(
            "SELECT number FROM conversations WHERE number > ? ORDER BY number LIMIT ?")
        let roles = try StoredRoles(database)
        let findRole = try database.prepare("SELECT number FROM roles WHERE template = ? AND joins = ?")
        let addRole = try database.prepare("INSERT INTO roles (template, joins) VALUES (?, ?) RETURNING number")
        let blocks = try StoredBlocks(database)
        let extended = try ExtensionTable(database)
        let lost = try LostRows(database)
        let nextRows = try database.prepare(
            "SELECT number, job, head FROM rows WHERE number >= ? ORDER BY number LIMIT ?")
        let setEvicted = try database.prepare("UPDATE meta SET evicted = max(evicted, ?)")
        let findRow = try database.prepare("SELECT job, head FROM rows WHERE number = ?")
        let putRow = try database.prepare("REPLACE INTO rows VALUES (?, ?, ?, ?, ?)")
        let setHead = try database.prepare("UPDATE rows SET job = ?2, head = ?3 WHERE number = ?1")
        let dropRow = try database.prepare("DELETE FROM rows WHERE number = ?")
        let putPlace = try database.prepare("REPLACE INTO places VALUES (?, ?, ?, ?)")
        let dropPlace = try database.prepare(
            "DELETE FROM places WHERE conversation = ? AND position = ? AND message = ? AND number = ?")
        let clearPlace = try database.prepare(
            "DELETE FROM places WHERE conversation = ? AND position = ? AND message = ?")
        let recent = try RecentPlaces(database)
        let setMerge = try database.prepare(PlaceMerge.update)
        let findTombstone = try database.prepare("SELECT job FROM tombstones WHERE number = ?")
        let putTombstone = try database.prepare("REPLACE INTO tombstones VALUES (?, ?)")
        let dropTombstone = try database.prepare("DELETE FROM tombstones WHERE number = ?")
        let putChanges = try database.prepare("INSERT INTO changes VALUES (?, ?, ?)")
        let oldestChanges = try database.prepare("SELECT stamp, total, list FROM changes ORDER BY stamp LIMIT 1")
        let dropChanges = try database.prepare("DELETE FROM changes WHERE stamp = ?")
        // The files are there since the first statement was read from the schema.
        files = ShardFiles(place)
        self.standing = standing
        self.setEpoch = setEpoch
        self.findConversation = findConversation
        self.addConversation = addConversation
        self.nextConversations = nextConversations
        self.roles = roles
        self.findRole = findRole
        self.addRole = addRole
        self.blocks = blocks
        self.extended = extended
        self.lost = lost
        self.nextRows = nextRows
        self.setEvicted = setEvicted
        self.findRow = findRow
        self.putRow = putRow
        self.setHead = setHead
        self.dropRow = dropRow
        self.putPlace = putPlace
        self.dropPlace = dropPlace
        self.clearPlace = clearPlace
        self.recent = recent
        self.setMerge = setMerge
        self.findTombstone = findTombstone
        self.putTombstone = putTombstone
        self.dropTombstone = dropTombstone
        self.putChanges = putChanges
        self.oldestChanges = oldestChanges
        self.dropChanges = dropChanges
        self.database = database
    }

    func readStanding() throws(StorageError) -> Standing { try Self.standing(standing, of: database.path) }

    /// The standing that the query of that name finds.
    static func standing(_ query: borrowing Statement, of path: String) throws(StorageError) -> Standing {
        let found = try query.first { row throws(StorageError) in
            Standing(
                origin: ShardOrigin(UInt64(bitPattern: row.integer(0))),
                generation: Generation(UInt64(bitPattern: row.integer(1))),
                epoch: LeaseEpoch(UInt64(bitPattern: row.integer(2))), boot: row.text(3),
                stamp: Stamp(UInt64(bitPattern: row.integer(4))), total: row.integer(5), lastNumber: row.integer(6))
        }
        guard let found else { throw .corrupt(path: path, "its meta row is missing") }
        return found
    }

    /// Notes the start of the machine, in a commit by itself.
    func setBoot(_ boot: String) throws(StorageError) {
        try database.transaction { () throws(StorageError) in
            try database.prepare("UPDATE meta SET boot = ?").run(.text(boot))
        }
    }

    func set(_ epoch: LeaseEpoch, boot: String) throws(StorageError) {
        try setEpoch.run(.integer(Int64(bitPattern: epoch.number)), .text(boot))
    }
}
