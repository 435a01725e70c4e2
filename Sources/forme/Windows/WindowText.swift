import Console
import Foundation
import MessageLayout
import Names
import Rows
import Wire

/// Rows of windows for people to read. Numbers are device pixels.
enum WindowText {
    static let heading = line("y", "height", "message", "look")

    static func lines(_ reply: WindowReply) throws -> [String] {
        var y = reply.frame.top
        return reply.rows.map { row in
            defer { y += Int64(row.height) }
            return line("\(y)", "\(row.height)", row.message.text.visible, look(of: row))
        }
    }

    /// The line of a row that has no place yet.
    static func line(_ row: WindowRow) -> String {
        line("", "\(row.height)", row.message.text.visible, look(of: row))
    }

    /// The changes that a client applies, a line for each.
    static func lines(_ set: ChangeSet) -> [String] {
        set.changes.map { change in
            let sign = change.heightDelta < 0 ? "" : "+"
            let (what, rows): (String, [WindowRow]) =
                switch change.kind {
                case .insert(let at, let rows): ("insert at \(at)", rows)
                case .remove(let at, let count): ("remove \(count) at \(at)", [])
                case .replace(let at, let row): ("replace \(at)", [row])
                case .move(let from, let to, let row): ("move \(from) to \(to)", [row])
                case .redecorate(let at, let row): ("redecorate \(at)", [row])
                }
            let messages = rows.map(\.message.text.visible).joined(separator: " ")
            return line("\(sign)\(change.heightDelta)", "\(change.reason)", what, messages)
        }
    }

    private static func look(of row: WindowRow) -> String {
        guard let decoration = row.body?.decoration else { return "" }
        var words = ["\(decoration.variant)", "\(decoration.series)"]
        if decoration.dateLine != nil { words.append("date line") }
        if decoration.unreadLine != nil { words.append("unread line") }
        if decoration.avatar != nil { words.append("avatar") }
        return words.joined(separator: ", ")
    }

    private static func line(_ a: String, _ b: String, _ c: String, _ d: String) -> String {
        [(a, 10), (b, 10), (c, 16)]
            .map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
            .joined(separator: "  ") + "  " + d
    }
}
