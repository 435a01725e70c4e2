package import JSON
package import Transport

/// The list of guests, who may come in: an array in `allowed.json5`, one line for each.
///
///     [ { name: "backend", role: "producer", key: "…" } ]
package struct AllowList: Sendable {
    package struct Entry: Equatable, Sendable {
        package var guest: Guest
        package var key: PublicKey

        package init(guest: Guest, key: PublicKey) { (self.guest, self.key) = (guest, key) }
    }

    package private(set) var entries: [Entry]
    private var text: String

    /// The guests by their keys, as the door takes them.
    package var guests: [PublicKey: Guest] {
        Dictionary(entries.map { ($0.key, $0.guest) }) { first, _ in first }
    }

    package static let empty = """
        // Who may come in, and as what: producer (posts events), worker (lays out), reader (fetches layouts and hears that
        // they are ready), operator (posts, fetches and gives orders), gateway (passes events on, hears, and gives no orders), host
        // (another host of the same cluster). Read again at SIGHUP; a key that is not here any more is heard no more.
        [
        ]

        """

    package init(_ text: String, from name: String) throws(JSONError) {
        let document = JSONDocument(name: name, bytes: Array(text.utf8), dialect: .json5)
        entries = try document.read { (root) throws(JSONError) in
            var entries: [Entry] = []
            for element in try root.elements() {
                let entry = try Entry(element)
                guard !entries.contains(where: { $0.key == entry.key }) else {
                    throw element.mismatch(expected: "a key that is not there yet")
                }
                entries.append(entry)
            }
            return entries
        }
        self.text = text
    }

    package init(reading path: String) throws {
        try self.init(String(decoding: TrustedFile.read(path, .list), as: UTF8.self), from: path)
    }

    /// Adds a line, and leaves every other as it was written.
    package mutating func add(_ entry: Entry, in path: String) throws {
        guard let end = text.lastIndex(of: "]") else { throw SettingsError.editByHand(path: path) }
        let line = """
              { name: "\(entry.guest.name)", role: "\(entry.guest.role.rawValue)", key: "\(entry.key)" },

            """
        try become(text[..<end] + line + text[end...], entries + [entry], in: path)
    }

    /// Takes out the lines of a name.
    package mutating func remove(_ name: String, in path: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.filter { !$0.contains("name: \"\(name)\"") }.joined(separator: "\n")
        try become(rest, entries.filter { $0.guest.name != name }, in: path)
    }

    /// Takes over a new text. Reading it back shows whether lines that were written in another form went wrong.
    private mutating func become(_ text: String, _ entries: [Entry], in path: String) throws {
        guard let new = try? AllowList(text, from: path), new.entries == entries else {
            throw SettingsError.editByHand(path: path)
        }
        try TrustedFile.write(text, to: path, .list, replacing: true)
        self = new
    }
}

extension AllowList.Entry {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["name", "role", "key"])
        let (name, role, key) = try (fields.required("name"), fields.required("role"), fields.required("key"))
        guard let known = try PublicKey(key.string()) else {
            throw key.mismatch(expected: "a public key, as forme keys show prints it")
        }
        guard try Guest.isName(name.string()) else { throw name.mismatch(expected: Guest.nameRule) }
        guard let part = try KeyRole(rawValue: role.string()) else {
            throw role.mismatch(expected: KeyRole.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or "))
        }
        self.init(guest: Guest(name: try name.string(), role: part), key: known)
    }
}

extension Guest {
    package static let nameRule = "1 to 64 of a-z, A-Z, 0-9, '.', '-' and '_'"

    /// Whether a text can be the name of a file, the value of a field in a log and a part of a sentence.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !text.hasPrefix(".")
            && text.utf8.allSatisfy { byte in
                Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80 || 0x30...0x39 ~= byte
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}
