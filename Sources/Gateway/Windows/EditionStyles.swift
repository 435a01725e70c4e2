import JSON
import MessageLayout
import Rows
import Storage
import Wire

/// How rows of each edition are dressed: as this gateway's style says, if the edition was made with it; else as its workers
/// say, who leave that beside what they lay out. So a style that is rolled out needs no gateway to be started again.
struct EditionStyles {
    private let folder: DataFolder
    /// Nil for a style that says nothing of rows.
    private let own: DecorationStyle?
    private let ownEdition: EditionID?
    private var known: [EditionID: DecorationStyle] = [:]

    private static let mostKnown = 16

    init(_ folder: DataFolder, own: DecorationStyle?, of edition: EditionID?) {
        (self.folder, self.own, ownEdition) = (folder, own, edition)
    }

    /// How rows of both are dressed in one conversation.
    mutating func style(of edition: EditionID, filledFrom filler: EditionID?) throws(StorageError) -> DecorationStyle? {
        guard let style = try style(of: edition), let filler, let other = try self.style(of: filler) else {
            return try self.style(of: edition)
        }
        return style.filled(from: other)
    }

    /// Nil where nobody says how: then there are no windows.
    mutating func style(of edition: EditionID) throws(StorageError) -> DecorationStyle? {
        if edition == ownEdition { return own }
        if let style = known[edition] { return style }
        guard let json = try EditionDecoration.read(of: edition, in: folder) else { return own }
        do throws(JSONError) {
            let style = try DecorationStyle(JSONReader(JSONValue.parse(json)))
            if known.count >= Self.mostKnown { known = [:] }
            known[edition] = style
            return style
        } catch {
            throw .unreadable(path: "decoration.json", "\(error)")
        }
    }
}
