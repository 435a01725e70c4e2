import Names
import Wire

/// A query for the places of a conversation: those of the table `places` and those that are recent, in one order.
struct PlaceQuery: ~Copyable {
    private let query: Statement
    private let isDescending: Bool

    init(isDescending: Bool = false, in database: borrowing Database) throws(StorageError) {
        let order = isDescending ? " DESC" : ""
        query = try database.prepare(
            """
            SELECT position, message, number FROM places WHERE conversation = ?1 AND (position, message) > (?2, ?3)
            ORDER BY position\(order), message\(order)
            """)
        self.isDescending = isDescending
    }

    /// Hands over the places behind one, until it is told to stop. Damaged ones are left out.
    func each(
        of conversation: Int64, after: Position? = nil, with recent: PlaceList,
        _ body: (NumberedPlace) throws(StorageError) -> Bool
    ) throws(StorageError) {
        query.bind(conversation, after: after, at: 1)
        defer { query.reset() }
        var others = PlacesBetween(recent.places(of: conversation, after: after), isDescending: isDescending)
        var place = try nextPlace()
        while true {
            if let other = others.next(before: place?.position) {
                guard try body(other) else { return }
            } else if let found = place {
                guard try body(found) else { return }
                place = try nextPlace()
            } else {
                return
            }
        }
    }

    private func nextPlace() throws(StorageError) -> NumberedPlace? {
        while let row = try query.next() {
            if let position = row.position(at: 0) {
                return NumberedPlace(position: position, number: MessageNumber(row.integer(2)))
            }
        }
        return nil
    }
}
