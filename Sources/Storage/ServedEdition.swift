import JSON
package import Wire

/// The edition that readers are served: `served.json`, written by the coordinator, whole, and renamed into place.
///
/// ```json
/// {"edition": "1f0e…", "next": "77ab…", "filler": "77ab…", "hurried": true}
/// ```
///
/// Before there were rolls with a filler it had the edition alone, and may still.
package struct ServedEdition: Equatable, Sendable {
    package var edition: EditionID
    /// The edition that is laid out to take the place of the served one.
    package var next: EditionID?
    /// The edition that gives the rows which the served one lacks: as nobody lays out the served
    /// one any more, or as it is served before it is whole.
    package var filler: EditionID?
    /// Whether the next edition is served as soon as it has the rows that readers look at;
    /// processes that know these report them.
    package var isHurried: Bool

    static let name = "served.json"

    package init(_ edition: EditionID, next: EditionID? = nil, filler: EditionID? = nil, isHurried: Bool = false) {
        (self.edition, self.next, self.filler, self.isHurried) = (edition, next, filler, isHurried)
    }

    /// The edition before the served one, where it fills that because it was served before it was
    /// whole; nil where the next edition does.
    package var older: EditionID? { filler == next ? nil : filler }

    /// Nil while no worker has ever come.
    package static func read(in folder: DataFolder) throws(StorageError) -> ServedEdition? {
        let path = folder.file(name)
        guard let bytes = try FileFacts.contents(of: path) else { return nil }
        do {
            let fields = try JSONReader(JSONValue.parse(bytes)).object(
                knownKeys: ["edition", "next", "filler", "hurried"])
            return ServedEdition(
                try EditionID(fields.required("edition").string()),
                next: try fields.optional("next").map { try EditionID($0.string()) },
                filler: try fields.optional("filler").map { try EditionID($0.string()) },
                isHurried: try fields.optional("hurried")?.bool() ?? false)
        } catch {
            throw .unreadable(path: path, "\(error)")
        }
    }

    package func write(in folder: DataFolder) throws(StorageError) {
        var json = JSONWriter()
        json.object { members in
            for (key, edition) in [("edition", Optional(edition)), ("next", next), ("filler", filler)] {
                guard let edition else { continue }
                members.key(key)
                members.string(edition.text)
            }
            if isHurried {
                members.key("hurried")
                members.bool(true)
            }
        }
        try FileFacts.replace(folder.file(Self.name), with: json.bytes + [0x0A])
    }
}
