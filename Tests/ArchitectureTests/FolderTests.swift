import Testing

@Test func `inside a module, too, folders use types of each other in one direction`() throws {
    let modules = Dictionary(grouping: try Repository.swiftFiles(in: "Sources"), by: \.module)
    for (module, files) in modules {
        let circle = FolderUses(of: files).circle
        #expect(circle.isEmpty, "\(module): \(circle.sorted().joined(separator: ", "))")
    }
}

@Test(arguments: [
    ("Sources/House/Staff/Doctor.swift", "struct Doctor {}\n// Bed\nlet text = \"Bed \\\" Bed\"", []),
    ("Sources/House/Staff/Doctor.swift", "struct Doctor {\n    var bed: Bed\n}", ["Staff", "Ward"]),
    ("Sources/House/Doctor.swift", "final class Doctor {}\nextension Bed {}", ["", "Ward"]),
    // A name that two files declare says nothing of folders.
    ("Sources/House/Staff/Doctor.swift", "enum Doctor {}\nstruct Bed {}", []),
])
func `a circle of folders is found by the types in it`(path: String, text: String, circle: [String]) {
    let bed = Repository.File(path: "Sources/House/Ward/Bed.swift", text: "package struct Bed { var of: Doctor? }")
    #expect(FolderUses(of: [bed, Repository.File(path: path, text: text)]).circle.sorted() == circle)
}

/// The uses of types between the folders of one module. A type stands at the beginning of a line, and its name once in
/// the module; names in comments and in texts are no use.
private struct FolderUses {
    private var uses: [String: Set<String>] = [:]

    init(of files: [Repository.File]) {
        var homes: [Substring: [String]] = [:]
        for file in files {
            for name in Self.types(in: file.text) { homes[name, default: []].append(file.path) }
        }
        for file in files {
            uses[Self.folder(of: file.path), default: []].formUnion([])
            for word in Self.words(in: file.text) {
                guard let home = homes[word], home.count == 1, home[0] != file.path else { continue }
                uses[Self.folder(of: file.path), default: []].insert(Self.folder(of: home[0]))
            }
        }
        for folder in uses.keys { uses[folder]?.remove(folder) }
    }

    /// The folders that are left when, again and again, one goes that uses none of the others or is used by none.
    var circle: Set<String> {
        var left = Set(uses.keys)
        while let free = left.first(where: { uses[$0, default: []].isDisjoint(with: left) }) { left.remove(free) }
        // And the other way round: a folder that none of them uses stands above the circle.
        while let top = left.first(where: { name in !left.contains { uses[$0, default: []].contains(name) } }) {
            left.remove(top)
        }
        return left
    }

    /// The folder of a file below its module; empty for a file that stands in the module itself.
    private static func folder(of path: String) -> String {
        let steps = path.split(separator: "/")
        return steps.count > 3 ? String(steps[2]) : ""
    }

    private static func types(in text: String) -> [Substring] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        let others: Set<Substring> = ["extension", "func", "let", "var", "import", "private", "fileprivate"]
        return text.split(separator: "\n").compactMap { line in
            guard let first = line.utf8.first, first != 32, first != 47 else { return nil }
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
                !words[..<kind].contains(where: others.contains)
            else { return nil }
            return words[kind + 1]
        }
    }

    /// Words that begin with a capital.
    private static func words(in text: String) -> Set<Substring> {
        var found: Set<Substring> = []
        for line in text.split(separator: "\n") {
            let bytes = line.utf8
            var (place, isText) = (bytes.startIndex, false)
            while place < bytes.endIndex {
                let byte = bytes[place]
                if isText {
                    if byte == UInt8(ascii: "\\") { bytes.formIndex(after: &place) }
                    if byte == UInt8(ascii: "\"") { isText = false }
                } else if byte == UInt8(ascii: "\"") {
                    isText = true
                } else if byte == UInt8(ascii: "/"), bytes[place...].starts(with: "//".utf8) {
                    break
                } else if isWord(byte) {
                    let end = bytes[place...].firstIndex { !isWord($0) } ?? bytes.endIndex
                    if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte { found.insert(line[place..<end]) }
                    place = end
                    continue
                }
                if place < bytes.endIndex { bytes.formIndex(after: &place) }
            }
        }
        return found
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
