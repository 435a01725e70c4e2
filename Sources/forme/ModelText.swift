import Bytes
import Foundation
import JSON
import MessageLayout
import Names
import Wire

/// Finished layouts for people and for scripts to read. Numbers are device pixels.
enum ModelText {
    static let heading = line("message", "size", "lines", "what it shows")

    /// - Parameter about: what the message says, where that is known; else the names of its parts stand there.
    static func table(_ row: StoredRow, state: Int = 0, about: String? = nil) throws(ByteError) -> String {
        let model = try row.model(state: state)
        let lines = model.blocks.reduce(0) { $0 + $1.lines.count }
        return line(
            row.position.message.text, "\(model.size.width)×\(model.size.height)", "\(lines)",
            about ?? model.partNames.joined(separator: " "))
    }

    static func json(_ row: StoredRow, state: Int = 0) throws(ByteError) -> String {
        let model = try row.model(state: state)
        var json = JSONWriter()
        json.object {
            $0.key("message")
            $0.string(row.position.message.text)
            $0.key("order")
            $0.integer(row.position.order)
            $0.key("revision")
            $0.integer(row.revision.number)
            model.writeMembers(to: &$0)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func line(_ message: String, _ size: String, _ count: String, _ rest: String) -> String {
        [(message, 8), (size, 10), (count, 5)]
            .map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
            .joined(separator: "  ") + "  " + rest
    }
}

extension LayoutModel {
    fileprivate var partNames: [String] {
        skeleton.nodes.indices.filter { placements[$0].isPresent }.map { skeleton.text(of: skeleton.nodes[$0].part) }
    }
}
