/// Rows of text with their columns one below the other.
package enum Columns {
    /// Numbers stand to the right; the columns that are named in `left` stand to the left.
    package static func aligned(_ rows: [[String]], left: Set<Int> = [0]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return left.contains(column) ? cell.0 + space : space + cell.0
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
