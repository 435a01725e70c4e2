package import MessageLayout
package import Shaping
package import Wire

/// What a worker does in its edition.
package enum WorkerTask: Sendable {
    case layOut(StyleSheet, fonts: @Sendable () throws -> FontList)
    /// Takes away what has changed, in an edition that nobody here can lay out: it needs neither its style nor its fonts.
    case takeCare(of: EditionID, name: String)

    var isCaretaking: Bool {
        switch self {
        case .layOut: false
        case .takeCare: true
        }
    }
}
