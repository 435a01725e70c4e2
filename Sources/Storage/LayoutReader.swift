import MessageLayout
package import Wire

/// Reads finished layouts, and writes nothing.
package struct LayoutReader: ~Copyable {
    private let database: Database
    private let select: Statement

    /// Throws `.absent` while no worker has stored anything.
    package init(in folder: DataFolder) throws(StorageError) {
        let database = try Database.open(path: folder.file(LayoutCache.file), .read)
        let found = try database.integer("PRAGMA user_version")
        guard found != 0 else { throw .absent(path: database.path) }
        guard found == LayoutCache.format else {
            throw .foreignFormat(path: database.path, found: found, expected: LayoutCache.format)
        }
        let select = try database.prepare(
            """
            SELECT position, message, revision, record FROM layouts
            WHERE conversation = ?1 AND (position, message) > (?2, ?3) ORDER BY position, message LIMIT ?4
            """)
        self.select = select
        self.database = database
    }

    /// The rows that the query asks for, as many as fit into one frame. Nil where one of them is not laid out for the target
    /// and variant: to leave it out would hide a message.
    package func page(_ query: Query) throws(StorageError) -> Page? {
        var cutter = RecordCutter()
        var rows: [StoredRow] = []
        var size = 0
        var more = false
        var isPrepared = true
        try select.run(
            .text(query.conversation.text), .integer(query.after?.order ?? .min),
            .text(query.after?.message.text ?? ""), .integer(Int64(query.limit) + 1)
        ) { row throws(StorageError) in
            guard rows.count < query.limit, !more, isPrepared else { return more = true }
            do throws(WireError) {
                guard let bytes = try cutter.row(of: LayoutRecord(row.blob(3)), query) else {
                    return isPrepared = false
                }
                size += bytes.count
                guard rows.isEmpty || size <= Limits.frame / 2 else { return more = true }
                rows.append(
                    StoredRow(
                        position: Position(order: row.integer(0), message: try MessageID(row.text(1))),
                        revision: UInt32(truncatingIfNeeded: row.integer(2)), bytes: bytes))
            } catch {
                throw .damaged(path: database.path, error)
            }
        }
        return isPrepared ? Page(rows: rows, next: more ? rows.last?.position : nil) : nil
    }
}

extension RecordCutter {
    /// What the query asks for of one record; nil where the record does not have it.
    fileprivate mutating func row(of record: LayoutRecord, _ query: Query) throws(WireError) -> [UInt8]? {
        guard let target = record.targets.firstIndex(of: query.target), query.variant < record.variantCount else {
            return nil
        }
        var row: [UInt8] = []
        try cut(record, target: target, variant: Int(query.variant), into: &row)
        return row
    }
}
