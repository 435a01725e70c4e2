import MessageLayout
import Rows
import Typography
import Wire

extension StyleFiles {
    /// Throws for a style whose content, on one of its targets, may be wider than the things beside it leave: it would
    /// lie under an avatar or a handle, or leave the row.
    /// - Parameter file: the file that has the rules of the style, for errors.
    static func checkRoom(of style: StyleSheet, in file: String) throws {
        guard let decoration = try style.decoration() else { return }
        let rows = Set(style.templates.values.map(\.rowTemplate)).sorted()
        for target in style.targets {
            let rule = style.roomRule(of: target.width)
            let room = RoomPixels(rule, scale: target.scale).room(inRow: target.rowPixels)
            for row in rows {
                // The rule gives content a pixel, however narrow the row is.
                let left = max(1, decoration.contentRoom(of: row, on: target))
                guard room > left else { continue }
                let ofClass = style.deviceClass(of: target.width)
                let setting = ofClass.room == nil ? "room.less" : "classes.\(ofClass.name).room.less"
                throw Problem.tooWide(
                    style: file, row: row, target: target.text, room: room, left: left, setting: setting,
                    points: rule.less(for: left, on: target))
            }
        }
    }
}

extension RoomRule {
    /// The `less`, in whole points, with which the rule gives content no more than this room.
    fileprivate func less(for room: Int32, on target: Target) -> Int64 {
        let scale = Int64(target.scale.thousandths)
        let missing = Int64(target.rowPixels) * Int64(percent) / 100 - Int64(room)
        return (missing * 1000 + scale - 1) / scale
    }
}
