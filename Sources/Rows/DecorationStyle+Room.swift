package import MessageLayout
import Typography

extension DecorationStyle {
    /// The width that the content of a row may have, in device pixels, with room beside it for all that may ever
    /// stand there: the selection handle, and the avatar or the failed icon or both. It is the same for every viewer
    /// and variant, as content is laid out once for all. Wider content leaves the row on the far side.
    package func contentRoom(of template: String, on target: Target) -> Int32 {
        let template = self.template(named: template)
        let failed = failedIcon.map { target.pixels($0.size) + target.pixels($0.gap) } ?? 0
        var handle: Int32 = 0
        if let selectionHandle, template.isSelectable {
            handle = target.pixels(selectionHandle.size) + target.pixels(selectionHandle.gap)
        }
        var avatar: Int32 = 0
        if let rule = template.avatar, rule.place != .centred {
            avatar = target.pixels(rule.size) + target.pixels(rule.gap)
        }
        let ownHasAvatar = template.avatar?.audience.includesOwn ?? false
        let beside = handle + (ownHasAvatar ? avatar + failed : max(avatar, failed))
        let insets = target.pixels(template.startInset) + target.pixels(template.endInset)
        return max(0, target.boundedRowPixels - insets - beside)
    }
}
