package import Rows

extension Decorator {
    /// The decorations of a whole conversation, each made from nothing beside its neighbours.
    package func decorations(of rows: [RowFacts]) -> [Decoration] {
        rows.indices.map { i in
            decoration(
                of: rows[i], before: i > 0 ? rows[i - 1] : nil, after: i + 1 < rows.count ? rows[i + 1] : nil)
        }
    }
}
