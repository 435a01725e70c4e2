import Glibc
package import HTTP
import JSON
package import Storage

/// The fonts that texts were measured with, in the order in which they are tried for a character, with each file
/// under its hash; and the slices that `forme webfonts` made of them, as soon as they are there.
///
/// A client may keep a file for ever, so nothing else may ever be sent under its name. The files are held open: an
/// upgraded package puts others at their paths, and these stay what they were. A file that was written over is not
/// sent any more.
package struct FontFiles {
    private(set) var fonts: [ServedFont]
    private let files: [String: OpenFile]
    /// The licence of each font, by the font's hash.
    private let licences: [String: OpenFile]
    private let folder: WebfontFolder?
    /// Bytes of each slice, by its hash.
    private var slices: [String: Int] = [:]
    private var nextLook: ContinuousClock.Instant?
    /// The list of all fonts: with these in this order, a client that draws lines as they were broken draws them as
    /// they were measured.
    package private(set) var list: Response

    /// The time between looks for slices, while not all of them are made.
    private static let pause: Duration = .seconds(2)

    /// Opens the files. One that cannot be opened is in the list, and is not found.
    ///
    /// - Parameter folder: the folder of slices; nil where none are made.
    package init(_ fonts: [ServedFont], made folder: WebfontFolder? = nil) {
        (self.fonts, self.folder) = (fonts, folder)
        files = Dictionary(fonts.map { ($0.hash, $0.path) }) { first, _ in first }.compactMapValues { OpenFile($0) }
        // Many fonts share a few texts.
        var texts: [String: OpenFile] = [:]
        for path in Set(fonts.compactMap(\.licence)) { texts[path] = OpenFile(path) }
        licences = Dictionary(fonts.map { ($0.hash, $0.licence.flatMap { texts[$0] }) }) { first, _ in first }
            .compactMapValues(\.self)
        list = Self.list(fonts)
        nextLook = folder == nil ? nil : .now
    }

    package var count: Int { files.count }

    /// Takes up slices that were made meanwhile.
    package mutating func refresh(at now: ContinuousClock.Instant) {
        guard let folder, let due = nextLook, now >= due else { return }
        var isNew = false
        for place in fonts.indices where fonts[place].slices.isEmpty {
            let face = WebfontFolder.Face(hash: fonts[place].hash, index: fonts[place].index)
            // Slices that cannot be read are as good as not made: whole files are sent.
            guard case .some(.some(let made)) = try? folder.allSlices(of: face) else { continue }
            fonts[place].slices = made.map { ServedSlice(hash: $0.hash, bytes: $0.bytes, characters: $0.characters) }
            for slice in made { slices[slice.hash] = slice.bytes }
            isNew = true
        }
        if isNew { list = Self.list(fonts) }
        nextLook = fonts.contains(where: \.slices.isEmpty) ? now + Self.pause : nil
    }

    private static func list(_ fonts: [ServedFont]) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.key("fonts")
            json.array { json in for font in fonts { font.write(to: &json) } }
            json.key("settings")
            FontSettings.write(to: &json)
        }
        var list = Response(200, "application/json", json.bytes)
        list.tag = EntityTag(of: json.bytes)
        list.headers["Cache-Control"] = "no-cache"
        return list
    }
}

extension FontFiles {
    package func response(_ hash: String) -> Response {
        if let folder, let bytes = slices[hash] {
            // The name of a slice is the hash of its bytes, and it is written once.
            let slice = OpenFile(folder.file(hash))
            return slice?.size == UInt64(bytes)
                ? kept(.file(path: folder.file(hash), offset: 0, count: UInt64(bytes)), "font/woff2", hash) : .notFound
        }
        guard let file = files[hash], file.isUnchanged else { return .notFound }
        return kept(file.body, file.type, hash)
    }

    private func kept(_ body: Response.Body, _ type: String, _ hash: String) -> Response {
        var response = Response(
            200, headers: ["Content-Type": type, "Cache-Control": "public, max-age=31536000, immutable"], body: body)
        response.tag = EntityTag(hash, isStrong: true)
        return response
    }

    /// The text of a font's licence.
    package func licence(_ hash: String) -> Response {
        guard let file = licences[hash], file.isUnchanged else { return .notFound }
        return Response(
            200, headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400"],
            body: file.body)
    }
}

/// A file as it was when it was opened.
private final class OpenFile {
    let descriptor: Int32
    let size: UInt64
    let type: String
    private let changed: timespec

    init?(_ path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let status = fileStatus(descriptor) else {
            close(descriptor)
            return nil
        }
        size = UInt64(status.st_size)
        changed = status.st_mtim
        type = fontType(path)
    }

    deinit { close(descriptor) }

    var body: Response.Body { .file(path: "/proc/self/fd/\(descriptor)", offset: 0, count: size) }

    var isUnchanged: Bool {
        guard let status = fileStatus(descriptor) else { return false }
        return UInt64(status.st_size) == size && status.st_mtim.tv_sec == changed.tv_sec
            && status.st_mtim.tv_nsec == changed.tv_nsec
    }
}

private func fileStatus(_ descriptor: Int32) -> stat? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status
}

private func fontType(_ path: String) -> String {
    switch path.split(separator: ".").last?.lowercased() {
    case "otf": "font/otf"
    case "ttc", "otc": "font/collection"
    case "woff2": "font/woff2"
    default: "font/ttf"
    }
}
