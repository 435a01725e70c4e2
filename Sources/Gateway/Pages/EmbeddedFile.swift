import Foundation

/// A file for browsers that is a part of this program: `Sources/Web/embed.mjs` makes it of the modules that stand
/// there.
struct EmbeddedFile: Sendable {
    let name: String
    /// The path at which it is kept for ever, as its name has a hash of its bytes.
    let path: String
    let bytes: [UInt8]

    /// - Parameter base64: the Base64 of its bytes, with any line breaks.
    init(_ name: String, at path: String, _ base64: String) {
        guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
            preconditionFailure("\(name) was made by a program, as Base64")
        }
        (self.name, self.path, self.bytes) = (name, path, Array(data))
    }

    /// A file that stands in a folder.
    init(_ name: String, _ bytes: [UInt8]) { (self.name, path, self.bytes) = (name, name, bytes) }

    /// A page with one more script, which it loads first; any other file as it is.
    func watching(_ script: String) -> EmbeddedFile {
        guard name.hasSuffix(".html") else { return self }
        let head = "<head>\n<script type=\"module\" src=\"\(script)\"></script>"
        return EmbeddedFile(
            name, at: path, Array(String(decoding: bytes, as: UTF8.self).replacing("<head>", with: head).utf8))
    }

    private init(_ name: String, at path: String, _ bytes: [UInt8]) {
        (self.name, self.path, self.bytes) = (name, path, bytes)
    }

    var type: String {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "html": "text/html; charset=utf-8"
        default: "application/json"
        }
    }
}
