import HTTP

/// Files for browsers that show conversations: `forme.js`, and the pages that use it, both compressed once.
struct WebFiles: Sendable {
    /// An answer in both forms.
    private struct Sent: Sendable {
        let plain: Response
        let packed: Response

        init(_ plain: Response, _ bytes: [UInt8], _ compressor: borrowing Compressor) {
            var (plain, packed) = (plain, plain)
            plain.headers["Vary"] = "Accept-Encoding"
            packed.headers["Vary"] = "Accept-Encoding"
            packed.headers["Content-Encoding"] = "gzip"
            packed.body = .bytes(compressor.gzip(bytes))
            (self.plain, self.packed) = (plain, packed)
        }
    }

    /// The rights of a page: it may load what this gateway sends, speak with it, and nothing else.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self' blob:; "
        + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"

    /// The files of this program, which are the same for everybody.
    static let standard = WebFiles(embeddedFiles)
    /// The same files, with a script in each page that shows the mistakes of a style.
    static let watched = WebFiles(embeddedFiles.map { $0.watching("/pages/dev.js") })

    /// Files by the path that has their hash, to be kept for ever.
    private var kept: [String: Sent] = [:]
    /// Files by the name under which the newest is asked for.
    private var newest: [String: Sent] = [:]

    init(_ files: [EmbeddedFile]) {
        // Once, when a gateway starts.
        let compressor = Compressor(level: 9)
        for file in files {
            var response = Response(200, file.type, file.bytes)
            response.tag = EntityTag(of: file.bytes)
            if file.type.hasPrefix("text/html") { Self.guardPage(&response) }
            response.headers["Cache-Control"] = "no-cache"
            newest[file.name] = Sent(response, file.bytes, compressor)
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
            kept[file.path] = Sent(response, file.bytes, compressor)
        }
    }

    static func guardPage(_ response: inout Response) {
        response.headers["Content-Security-Policy"] = policy
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    }

    /// The newest file of a name: it is asked for again each time.
    func newest(_ name: String, for request: Request) -> Response { answer(newest[name], request) }

    /// A file that never changes, by its path.
    func kept(_ path: String, for request: Request) -> Response { answer(kept[path], request) }

    private func answer(_ sent: Sent?, _ request: Request) -> Response {
        guard let sent else { return .problem(404, "Not found") }
        return request.takesGzip ? sent.packed : sent.plain
    }
}
