import Bytes
import Console
import Daemons
import FormeLayout
import MessageLayout
import Settings
import Shaping
import Storage
import Wire

/// The edition that a worker lays out: one of the folder, as `forme serve` says, or that of its style, if the service
/// wants it.
enum WorkerOption {
    static let edition = "edition"
    static let behind = "behind"
    static let caretaker = "caretaker"
    static let options = [StyleOption.name, FontOption.name, edition]
    static let switches = [behind, caretaker]
    static let usage = """
        \(StyleOption.usage)
        \(FontOption.usage)
          --edition ID         an edition of the folder, whatever the style (forme serve gives this)
          --behind             gives way to other processes (forme serve gives this where the edition is not yet served)
          --caretaker          lays nothing out, and takes away what has changed (forme serve gives this where it cannot be laid out)
        """

    static func task(_ arguments: Arguments, _ place: Place) throws -> WorkerTask {
        guard let text = arguments.text(edition) else { return .layOut(try ownStyle(place), fonts: fonts(place)) }
        let id: EditionID
        do throws(ByteError) {
            id = try EditionID(text)
        } catch {
            throw arguments.refusal("--edition takes hexadecimal digits, as forme status shows them")
        }
        if arguments.has(caretaker) { return .takeCare(of: id, name: "") }
        guard let json = try EditionFolder(place.folder).edition(id) else {
            throw Failure(
                .usage, "the edition \(id) is not in \(place.folder.path); forme pool roll STYLE puts one there")
        }
        let (style, families) = try CompiledEdition(json: json).openHere(
            besides: FontOption.families(place.configuration.fonts))
        return .layOut(style, fonts: { try FontList(families) })
    }

    private static func fonts(_ place: Place) -> @Sendable () throws -> FontList {
        FontOption.loader(place.configuration.fonts)
    }

    /// The style of the configuration, where the service lays out just that; it is kept in the folder where there is
    /// none yet.
    private static func ownStyle(_ place: Place) throws -> StyleSheet {
        let documents = try StyleDocuments(reading: place.configuration.style)
        let own = try CompiledEdition(
            documents, fonts: FontCatalog().identified(FontOption.families(place.configuration.fonts)))
        let folder = EditionFolder(place.folder)
        if let served = try ServedEdition.read(in: place.folder) {
            guard served.edition == own.id || served.next == own.id else {
                let next = served.next.map { ", and next \($0)" } ?? ""
                throw Failure(
                    .usage,
                    "the service lays out the edition \(served.edition)\(next); \(place.configuration.style) with these fonts is "
                        + "\(own.name) \(own.id). Have it rolled out with forme pool roll \(place.configuration.style), or start the "
                        + "worker with the style and fonts of the service")
            }
        }
        try folder.keep(own.json, of: own.id)
        return try documents.sheet()
    }
}
