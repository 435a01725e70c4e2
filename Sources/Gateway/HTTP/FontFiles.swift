import Glibc
package import HTTP
import JSON

/// The fonts that texts were measured with, in the order in which they are asked for a character, and each file under its hash.
///
/// A client may keep one for ever, so nothing else may ever be sent under its name. The files are held open: a package that
/// is upgraded puts others at their paths, and these stay what they were. One that was written over is not sent any more.
package struct FontFiles {
    private let files: [String: OpenFile]
    /// All of them: with these in this order, a client that draws lines as they were broken draws what was measured.
    package let list: Response

    /// Files that cannot be opened are in the list, and are not found.
    package init(_ fonts: [ServedFont]) {
        files = Dictionary(fonts.map { ($0.hash, $0.path) }) { first, _ in first }.compactMapValues { OpenFile($0) }
        var json = JSONWriter()
        json.object { json in
            json.key("fonts")
            json.array { json in for font in fonts { font.write(to: &json) } }
        }
        var list = Response(200, "application/json", json.bytes)
        list.tag = EntityTag(of: json.bytes)
        list.headers["Cache-Control"] = "no-cache"
        self.list = list
    }

    package var count: Int { files.count }

    package func response(_ hash: String) -> Response {
        guard let file = files[hash], file.isUnchanged else { return .notFound }
        var response = Response(
            200, headers: ["Content-Type": file.type, "Cache-Control": "public, max-age=31536000, immutable"],
            body: .file(path: "/proc/self/fd/\(file.descriptor)", offset: 0, count: file.size))
        response.tag = EntityTag(hash, isStrong: true)
        return response
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
