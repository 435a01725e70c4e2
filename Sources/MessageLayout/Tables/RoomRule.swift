package import JSON
package import Typography

/// The room that content may take in a row: a percentage of it, less the need of avatars and edges, and never more
/// than is pleasant to read.
package struct RoomRule: Hashable, Sendable {
    package var percent: Int32
    package var less: Fixed
    package var most: Fixed

    package init(percent: Int32 = 100, less: Fixed = .zero, most: Fixed = StyleLength.longest) {
        self.percent = percent
        self.less = less
        self.most = most
    }

    package init(_ reader: JSONReader, over base: RoomRule = RoomRule()) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["percent", "less", "most"])
        self = base
        if let percent = try fields.optional("percent")?.integer(in: 1...100) { self.percent = Int32(percent) }
        if let less = try fields.optional("less")?.points() { self.less = less }
        if let most = try fields.optional("most")?.points(in: 1...4096) { self.most = most }
    }
}

/// The rule at one scale, in whole device pixels. It never decreases when the row grows, so it can be asked both ways.
package struct RoomPixels: Hashable, Sendable {
    package var percent: Int32
    package var less: Int32
    package var most: Int32

    package init(_ rule: RoomRule, scale: Scale) {
        percent = rule.percent
        less = StyleLength(points: rule.less).pixels(scale: scale, textScale: .one)
        most = StyleLength(points: rule.most).pixels(scale: scale, textScale: .one)
    }

    package func room(inRow row: Int32) -> Int32 {
        max(1, min(most, Int32(clamping: Int64(row) * Int64(percent) / 100) &- less))
    }

    /// The narrowest row that has this much room.
    package func narrowestRow(for room: Int32) -> Int32 {
        guard room > 1 else { return 0 }
        let wanted = Int64(room) + Int64(less)
        return Int32(clamping: (wanted * 100 + Int64(percent) - 1) / Int64(percent))
    }

    /// The widest row that has no more room than this; without limit if the rule gives its most already.
    package func widestRow(for room: Int32) -> Int32 {
        guard room < most else { return .max }
        return narrowestRow(for: room + 1) - 1
    }
}
