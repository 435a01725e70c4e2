import Typography

/// A style on one target, before any font is asked: its class of screens, and the lengths, roles and room that the
/// style has on that class.
struct Screen {
    let room: RoomPixels
    /// The rows, in device pixels, of its class.
    let classRows: ClosedRange<Int32>
    /// Lengths in device pixels, by place in the tables of the style.
    let lengths: [Int32]
    let roles: [TextRole]

    init(_ target: Target, of sheet: StyleSheet) {
        let own = sheet.deviceClass(of: target.width)
        room = RoomPixels(sheet.roomRule(of: target.width), scale: target.scale)
        classRows = sheet.rowsOfClass(around: target.width).pixels(at: target.scale, with: target.rowPixels)
        var lengths = sheet.tables.lengthList
        for (name, length) in own.lengths { lengths[Int(sheet.tables.lengthNames[name]!.place)] = length }
        self.lengths = lengths.map { $0.pixels(scale: target.scale, textScale: target.textScale) }
        var roles = sheet.tables.roleList
        for (name, role) in own.roles { roles[Int(sheet.tables.roleNames[name]!.place)] = role }
        self.roles = roles
    }

    func pixels(_ length: LengthID) -> Int32 { lengths[Int(length.place)] }
}

extension Range<Int32> {
    /// Rows of these widths in points, in whole device pixels, and a row that is one of them: a class may begin
    /// within its last pixel, which its own number leaves out.
    fileprivate func pixels(at scale: Scale, with row: Int32) -> ClosedRange<Int32> {
        let from = Swift.min((Int64(lowerBound) * Int64(scale.thousandths) + 999) / 1000, Int64(row))
        guard upperBound < .max else { return Int32(clamping: from)...Int32.max }
        let below = (Int64(upperBound) * Int64(scale.thousandths) + 999) / 1000 - 1
        return Int32(clamping: from)...Int32(clamping: Swift.max(from, below))
    }
}
