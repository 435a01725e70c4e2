import JSON

/// Faults of a style that somebody works on, for pages that are shown to its authors: `style-faults.json`, an
/// array of sentences with file and line, written by `forme serve --watch`; not there while nothing is wrong.
package enum StyleFaults {
    static let name = "style-faults.json"

    package static func read(in folder: DataFolder) throws(StorageError) -> [String] {
        let path = folder.file(name)
        guard let bytes = try FileFacts.contents(of: path) else { return [] }
        do throws(JSONError) {
            var sentences: [String] = []
            for element in try JSONReader(JSONValue.parse(bytes)).elements() { sentences.append(try element.string()) }
            return sentences
        } catch {
            throw .unreadable(path: path, "\(error)")
        }
    }

    package static func write(_ sentences: [String], in folder: DataFolder) throws(StorageError) {
        var json = JSONWriter()
        json.array { for sentence in sentences { $0.string(sentence) } }
        if try read(in: folder) != sentences { try FileFacts.replace(folder.file(name), with: json.bytes + [0x0A]) }
    }
}
