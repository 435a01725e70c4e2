import Console
import Drawing
import FormeLayout
import JSON
import MessageLayout
import Wire

/// An explanation as a page to read. Numbers are device pixels.
extension Explanation {
    /// The explanation as text. `key` is that of a record for all targets that are explained.
    func text(key: LayoutKey) -> String {
        """
        \(heading)

        \(Columns.aligned([Explanation.columns] + parts.map(row), left: [0, 6]))

        \(reach.text)

        The key of a record for these targets is \(key), made of
        \(inputs.text)

        """
    }

    private var heading: String {
        "\(target.text): \(size.width)×\(size.height), stamp \(stamp)"
    }

    private static let columns = ["part", "room", "asked", "got", "height", "at", ""]

    private func row(of part: Part) -> [String] {
        let operation = part.name == part.operation ? "" : " (\(part.operation))"
        let name = String(repeating: "  ", count: part.depth) + part.name + operation
        guard part.fate == .isThere else { return [name, "", "", "", "", "", part.fate.text] }
        return [
            name, part.room.map { "\($0.pixels)\($0.isElastic ? "~" : " ")" } ?? "–", part.asked.map { "\($0)" } ?? "–",
            "\(part.frame.width)", "\(part.frame.height)", "\(part.frame.left),\(part.frame.top)", part.remarks,
        ]
    }
}

extension Explanation.Fate {
    fileprivate var text: String {
        switch self {
        case .isThere: ""
        case .otherVariant: "not in this variant"
        case .otherState: "not in this state"
        case .leftOut: "left out"
        }
    }
}

extension Explanation.Part {
    fileprivate var remarks: String {
        var remarks: [String] = []
        if let lines, lines.count != 1 || lines.isWrapped {
            remarks.append("\(lines.count) lines" + (lines.wasCut ? ", cut" : lines.isWrapped ? ", wrapped" : ""))
        }
        if endsNarrower { remarks.append("no narrower row would do") }
        if endsWider { remarks.append("a wider row would change it") }
        return remarks.joined(separator: "; ")
    }
}

extension Explanation.Reach {
    fileprivate var text: String {
        let narrower = slack.map { "by \($0)" } ?? "without end"
        return """
            A row of \(row) has room for \(room) (~ is room that grows with the row). The room could be narrower \(narrower), \
            and wider \(isWiderOpen ? "without end" : "not at all").
            It is the layout for rows of \(narrowest) to \(widest == .max ? "any width" : "\(widest)"), \
            of a class of screens of \(classRows.lowerBound) to \
            \(classRows.upperBound == .max ? "any width" : "\(classRows.upperBound)").
            """
    }
}

extension Explanation.Inputs {
    fileprivate var text: String {
        let rows =
            [["kind", kind]]
            + fields.map { ["field \($0.name)", $0.value.indented(columns: .max)] }
            + ignored.map { ["", "not \($0.name): it is for \($0.use)"] }
            + lengths.map { ["length \($0.name)", "\($0.pixels)"] }
            + roles.map { role in
                [
                    "text \(role.name)",
                    "size \((Double(role.fontSize) / 64).markup), line \(role.pitch), baseline at \(role.ascent), "
                        + "weight \(role.weight)",
                ]
            }
        return Columns.aligned(rows.map { ["  " + $0[0], $0[1]] }, left: [0, 1])
    }
}
