import JSON
package import Wire

/// Which edition readers are served: `served.json`, written by the coordinator, whole, and renamed into place.
///
/// ```json
/// {"edition": "1f0e…"}
/// ```
package struct ServedEdition: Equatable, Sendable {
    package var edition: EditionID

    private static let name = "served.json"

    package init(_ edition: EditionID) { self.edition = edition }

    /// Nil while no worker has ever come.
    package static func read(in folder: DataFolder) throws(StorageError) -> ServedEdition? {
        let path = folder.file(name)
        guard let bytes = try FileFacts.contents(of: path) else { return nil }
        do {
            let fields = try JSONReader(JSONValue.parse(bytes)).object(knownKeys: ["edition"])
            return ServedEdition(try EditionID(fields.required("edition").string()))
        } catch {
            throw .unreadable(path: path, "\(error)")
        }
    }

    package func write(in folder: DataFolder) throws(StorageError) {
        var json = JSONWriter()
        json.object {
            $0.key("edition")
            $0.string(edition.text)
        }
        try FileFacts.replace(folder.file(Self.name), with: json.bytes + [0x0A])
    }
}
