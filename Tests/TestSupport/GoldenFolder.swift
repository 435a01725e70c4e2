import Foundation

/// A data folder that an older build left behind, and the contents that it must have: `Tests/Golden`, where `make`
/// makes them.
package struct GoldenFolder: CustomStringConvertible, Sendable {
    /// `first-full-killed`: the build, the durability, and how the service ended.
    package let description: String

    package static let all: [GoldenFolder] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(ending) }.sorted().map {
            GoldenFolder(description: String($0.dropLast(ending.count)))
        }
    }()

    private static let folder = Project.file("Tests/Golden")
    private static let ending = ".tar.gz"

    package var isKilled: Bool { description.hasSuffix("-killed") }
    package var isDurable: Bool { description.contains("-full-") }
    /// Whether its build is from before journals knew their logs.
    package var isUntied: Bool { description.hasPrefix("first-") }
    /// Whether the content of its first messages is gone: rows are all that is left of them.
    package var isForgetful: Bool { description.hasPrefix("alone-") }

    /// Whether it says in `formats.json` how it is written: builds since then make a backup a file, and no folder.
    package var saysFormats: Bool { description.hasPrefix("unlisted-") }

    /// A copy of the folder, to be opened.
    package func unpack() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/tar")
        tar.arguments = ["-xzf", Self.folder.appending(path: description + Self.ending).path, "-C", copy.path]
        try tar.run()
        tar.waitUntilExit()
        guard tar.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
        return copy
    }

    /// The contents that must be found in it.
    package var contents: GoldenContents {
        get throws {
            let build = description.prefix { $0 != "-" }
            let json = try Data(contentsOf: Self.folder.appending(path: "\(build).json"))
            return try JSONDecoder().decode(GoldenContents.self, from: json)
        }
    }
}

/// The contents of a golden folder: each register as the highest revision left it.
package struct GoldenContents: Decodable {
    package struct Register<Value: Decodable>: Decodable {
        package var revision: UInt64
        package var value: Value
    }

    package struct Body: Decodable {
        package var content: GoldenJSON
        package var sender: String
        package var time: Int64
    }

    package struct Message: Decodable {
        package var conversation: String
        package var message: String
        package var body: Register<Body>?
        package var order: Register<Int64>?
        package var status: Register<GoldenJSON>?
        package var reactions: Register<GoldenJSON>?
        /// The revision that deleted it.
        package var deleted: UInt64?
    }

    package struct Alias: Decodable {
        package var conversation: String
        package var message: String
        package var of: String
    }

    package var messages: [Message]
    package var aliases: [Alias]
    /// The messages of each conversation that are rows, from the first to the last.
    package var rows: [String: [String]]
    /// Messages that the style refuses.
    package var shelf: [String]
    /// Screens that were added.
    package var added: [String]
    /// The titles of conversations; nil where the build did not know of them.
    package var titles: [String: String]?
    package var readings: [String: Reading]?

    package struct Reading: Decodable {
        package var reader: String
        package var order: Int64
    }
}

/// Any JSON, compared by value.
package enum GoldenJSON: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([GoldenJSON])
    case object([String: GoldenJSON])

    package init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([GoldenJSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: GoldenJSON].self))
        }
    }
}
