package import MessageLayout
package import Shaping
package import Wire

/// The task of a worker in its edition.
package enum WorkerTask: Sendable {
    case layOut(StyleSheet, fonts: @Sendable () throws -> FontList)
    /// Removes rows that have changed, in an edition that cannot be laid out here: it needs neither its style nor its
    /// fonts.
    case takeCare(of: EditionID, name: String)

    var isCaretaking: Bool {
        switch self {
        case .layOut: false
        case .takeCare: true
        }
    }
}
