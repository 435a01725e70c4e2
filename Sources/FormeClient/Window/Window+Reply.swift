package import Conversation
package import Wire

extension Window {
    /// A window as a gateway has just sent it, without anything around it.
    package init(showing mirror: WindowMirror) { self.init(mirror: mirror, source: .gateway, opened: nil, fits: false) }

    /// The window with one more page; this one stays as it is.
    package func applying(_ page: WindowReply) throws(MirrorError) -> Window {
        var window = self
        try window.mirror?.apply(page)
        return window
    }

    /// The window as a gateway sends it, for programs that print it.
    package func reply(_ window: WindowID, screen: Int32) -> WindowReply? {
        mirror.map { mirror in
            WindowReply(
                window: window, part: .whole, reason: .firstLoad, frame: mirror.frame, rows: mirror.rows,
                insertedAbove: 0, firstVisible: opened, contentFits: fits,
                prefetch: PrefetchPolicy().hint(for: mirror.frame, bottom: mirror.bottom, screen: screen))
        }
    }
}
