import Foundation
import HTTP

/// Pages as they stand in a folder, for people who write them: modules are sent one by one, and nothing is kept. Each
/// page has a script (`dev/dev.js`) that asks for changes, takes them up, and shows mistakes with their file and
/// line.
struct WebFolder: Sendable {
    let path: String

    private static let folders = ["forme", "demo", "proof", "dev"]
    /// The most bytes of a file.
    private static let most = 4 << 20

    /// Leads to a page, whose files are beside it: a browser takes the fragment behind `#` along.
    static func page(_ name: String) -> Response {
        Response(302, headers: ["Location": "/web/\(name)/\(name).html", "Cache-Control": "no-store"])
    }

    /// A file of one of the folders; no path leads out of them.
    func file(_ folder: String, _ name: String) -> Response {
        guard Self.folders.contains(folder), Self.isFile(name), let bytes = read("\(folder)/\(name)") else {
            return .problem(404, "Not found")
        }
        guard name.hasSuffix(".html") else { return Self.sent(name, bytes) }
        return Self.sent(name, EmbeddedFile(name, bytes).watching("../dev/dev.js").bytes)
    }

    /// The time at which each file was written, which an open page compares.
    func times() -> [(file: String, milliseconds: Int64)] {
        let files = Self.folders.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
            return names.filter(Self.isFile).sorted().map { "\(folder)/\($0)" }
        }
        return files.compactMap { file in
            let about = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(file)")
            guard let date = about?[.modificationDate] as? Date else { return nil }
            return (file, Int64(date.timeIntervalSince1970 * 1000))
        }
    }

    /// Whether a name is one of letters and digits, with dots and hyphens between them.
    private static func isFile(_ name: String) -> Bool { name.wholeMatch(of: /\w[\w-]*(\.[\w-]+)+/) != nil }

    private func read(_ file: String) -> [UInt8]? {
        guard let bytes = FileManager.default.contents(atPath: "\(path)/\(file)"), bytes.count <= Self.most else {
            return nil
        }
        return Array(bytes)
    }

    private static func sent(_ name: String, _ bytes: [UInt8]) -> Response {
        let file = EmbeddedFile(name, bytes)
        var response = Response(200, file.type, bytes)
        response.tag = EntityTag(of: bytes)
        response.headers["Cache-Control"] = "no-cache"
        if name.hasSuffix(".html") { WebFiles.guardPage(&response) }
        return response
    }
}
