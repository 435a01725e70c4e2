import JSON
import MessageLayout
import Rows
import Storage
import Wire

/// The decoration style of each edition: this gateway's own, if the edition was made with it; else the one that the
/// edition's workers leave beside their rows. So a style that is rolled out needs no gateway to be started again.
struct EditionStyles {
    private let folder: DataFolder
    /// This gateway's own; nil where its style says nothing of rows.
    private let own: DecorationStyle?
    private let ownEdition: EditionID?
    private var known: [EditionID: DecorationStyle] = [:]

    private static let mostKnown = 16

    init(_ folder: DataFolder, own: DecorationStyle?, of edition: EditionID?) {
        (self.folder, self.own, ownEdition) = (folder, own, edition)
    }

    /// The style for the rows of both editions in one conversation.
    mutating func style(of edition: EditionID, filledFrom filler: EditionID?) throws(StorageError) -> DecorationStyle? {
        guard let style = try style(of: edition), let filler, let other = try self.style(of: filler) else {
            return try self.style(of: edition)
        }
        return style.filled(from: other)
    }

    /// The style of an edition; nil where there is none: then there are no windows.
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
