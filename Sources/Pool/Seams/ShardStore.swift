package import Names
package import Wire

/// The file of one shard, as a worker needs it. `Storage` implements it over SQLite, and `Simulation` over a disk
/// that fails.
///
/// Every commit holds the file's lock, begins with a look at the lease epoch that the shard stores, and writes nothing
/// when that is higher than its own.
package protocol ShardStore: ~Copyable {
    associatedtype Failure: Error

    /// The origin of this file: another one when the shard was lost and begun anew.
    var origin: ShardOrigin { get }
    /// Takes the shard over: from now on nobody with a lower epoch writes. Returns the stamp of the last commit; nil
    /// when a higher epoch is there.
    mutating func adopt(_ epoch: LeaseEpoch) throws(Failure) -> Stamp?
    /// Writes all changes under one new stamp, and the rows' jobs with them; nil when a higher epoch is there, or
    /// another file than was taken over.
    ///
    /// A change whose job is not newer than the row or the tombstone that is there is passed over, so that a batch
    /// may be done twice. To remove a row that is not there leaves no tombstone, and to touch it nothing.
    mutating func commit(_ changes: [ShardChange], under epoch: LeaseEpoch) throws(Failure) -> Stamp?
    /// Returns the key under which the row was laid out; nil where there is no row.
    mutating func storedKey(of message: MessageNumber) throws(Failure) -> [UInt8]?
    /// Returns the number of messages that are to have a row here, have none, and no content to make one of: as
    /// commits found them.
    mutating func unavailable() throws(Failure) -> Int
    /// Brings everything that was committed by anybody to the disk, and returns the point up to which it did.
    mutating func sync() throws(Failure) -> ShardPoint
}

/// The change of one row.
package struct ShardChange: Equatable, Sendable {
    package var job: JobNumber
    package var message: MessageNumber
    package var conversation: ConversationID
    package var messageID: MessageID
    package var row: Row

    package enum Row: Equatable, Sendable {
        /// A new layout, in place of the old one if there was one.
        case laidOut(ShardRow)
        /// A new layout, also where a row of the same job is there: that one may be wrong.
        case mended(ShardRow)
        /// The layout stays, as its key is the same; the facts beside it change.
        case touched(StoredFacts)
        /// The layout stays, as the content is no longer kept; the row moves, or has another status. Where there is
        /// no row, the message is unavailable until it is laid out or removed.
        case amended(order: Int64, status: [UInt8]?)
        /// A tombstone tells readers.
        case removed
        /// The row goes, and may come again under the same job: nobody here can lay out the message as it is by now.
        case withdrawn
    }

    package init(
        job: JobNumber, message: MessageNumber, conversation: ConversationID, messageID: MessageID, row: Row
    ) {
        (self.job, self.message, self.row) = (job, message, row)
        (self.conversation, self.messageID) = (conversation, messageID)
    }
}

/// The facts beside a layout: the place of the row, and all that its decoration needs. None of it is geometry.
package struct StoredFacts: Equatable, Sendable {
    package var order: Int64
    package var sender: SenderID
    package var time: Timestamp
    package var revision: Revision
    package var status: [UInt8]?

    package init(order: Int64, sender: SenderID, time: Timestamp, revision: Revision, status: [UInt8]?) {
        (self.order, self.sender, self.time) = (order, sender, time)
        (self.revision, self.status) = (revision, status)
    }
}

/// The role of a row, by the kind of its message. It is known when the message is laid out, and stays with the layout.
package struct RowRole: Hashable, Sendable {
    /// The name of its row template.
    package var template: String
    package var joinsSeries: Bool

    package init(template: String, joinsSeries: Bool) { (self.template, self.joinsSeries) = (template, joinsSeries) }
}

/// A finished row.
package struct ShardRow: Equatable, Sendable {
    package var facts: StoredFacts
    package var role: RowRole
    /// The bytes of a `LayoutKey`.
    package var key: [UInt8]
    /// The bytes of a `LayoutRecord`.
    package var layout: [UInt8]
    /// The measured texts, for widths that nobody foresaw.
    package var measured: [UInt8]
    /// The list of its heights (`HeightPlan`); empty where only the record tells them.
    package var heights: [UInt8]

    package init(
        facts: StoredFacts, role: RowRole, key: [UInt8], layout: [UInt8], measured: [UInt8], heights: [UInt8] = []
    ) {
        (self.facts, self.role, self.key, self.layout, self.measured) = (facts, role, key, layout, measured)
        self.heights = heights
    }
}
