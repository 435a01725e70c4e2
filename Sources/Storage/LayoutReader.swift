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

    /// The rows that the query asks for, as many as fit into one frame. A message without the asked target is left out.
    package func page(_ query: Query) throws(StorageError) -> Page {
        var rows: [StoredModel] = []
        var last: Position?
        var examined = 0
        var size = 0
        var more = false
        try select.run(
            .text(query.conversation.text), .integer(query.after?.order ?? .min),
            .text(query.after?.message.text ?? ""), .integer(Int64(query.limit) + 1)
        ) { row throws(StorageError) in
            guard examined < query.limit, size < Limits.frame / 2 else { return more = true }
            examined += 1
            do throws(WireError) {
                let position = Position(order: row.integer(0), message: try MessageID(row.text(1)))
                last = position
                guard let model = try ThinRecord(decoding: row.blob(3)).model(for: query.target) else { return }
                rows.append(
                    StoredModel(position: position, revision: UInt32(truncatingIfNeeded: row.integer(2)), model: model))
                size += model.count
            } catch {
                throw .damaged(path: database.path, error)
            }
        }
        return Page(rows: rows, next: more ? last : nil)
    }
}
