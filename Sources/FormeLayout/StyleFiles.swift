package import MessageLayout

/// A style from its files: the style's own, and one for each kind in the folder that it names.
package enum StyleFiles {
    /// What the path of a style cannot be used for, and why; and why an edition that is stored cannot be laid out here.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        case unreadable(path: String)
        case noKinds(path: String)
        /// Another release of Forme lays out by other rules.
        case otherRules(edition: String, stored: Int, here: Int)
        case lacksFont(edition: String, path: String, hash: String)
        /// What is stored makes another edition here than where it was stored.
        case otherEdition(stored: String, here: String)

        package var description: String {
            switch self {
            case .unreadable(let path): "\(path) cannot be read; name a style such as config/styles/bubble.json5"
            case .noKinds(let path): "\(path) has no *.json5; a style needs at least one kind of message"
            case .otherRules(let edition, let stored, let here):
                "the edition \(edition) was made with engine rules \(stored), and this release has \(here)"
            case .lacksFont(let edition, let path, let hash):
                "the edition \(edition) needs the font \(path) with the hash \(hash.prefix(16))…, and no font of the list has it"
            case .otherEdition(let stored, let here):
                "what is stored of the edition \(stored) makes \(here) here"
            }
        }
    }

    package static func open(_ path: String) throws -> StyleSheet { try StyleDocuments(reading: path).sheet() }
}
