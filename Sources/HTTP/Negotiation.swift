extension Request {
    /// Whether the answer may be compressed.
    package var takesGzip: Bool { HTTP.takesGzip(headers.list("Accept-Encoding") ?? "") }
}

extension Response {
    /// The same answer in the form that this request asks for: *not modified* when its client has it, the part of a
    /// file that it wants, or compressed.
    package func negotiated(for request: Request, _ compressor: borrowing Compressor) -> Response {
        guard status == 200, request.method == .get || request.method == .head else { return self }
        if let answer = notModified(for: request) { return answer }
        if case .file(let path, let offset, let count) = body {
            return part(path, offset, count, of: request)
        }
        return compressed(for: request, compressor)
    }

    /// The tag under which a client may remember the answer.
    package var tag: EntityTag? {
        get {
            guard let text = headers["ETag"] else { return nil }
            let isStrong = !text.hasPrefix("W/")
            return EntityTag(String(text.dropFirst(isStrong ? 1 : 3).dropLast()), isStrong: isStrong)
        }
        set { headers["ETag"] = newValue?.description }
    }

    /// The answer *not modified*, if the client has this one; nil when it does not say so.
    func notModified(for request: Request) -> Response? {
        guard let known = request.headers.list("If-None-Match"), let tag, tag.isNamed(in: known) else { return nil }
        var answer = Response(304)
        for name in ["ETag", "Cache-Control", "Vary", "Expires"] { answer.headers[name] = headers[name] }
        return answer
    }

    // MARK: Parts of files

    private func part(_ path: String, _ offset: UInt64, _ count: UInt64, of request: Request) -> Response {
        var answer = self
        answer.headers["Accept-Ranges"] = "bytes"
        let asked = request.headers
        // Ranges are defined for GET alone (RFC 9110, 14.2): HEAD asks about the whole file.
        guard request.method == .get, let range = asked["Range"].flatMap({ ByteRange($0) }),
            asked["If-Range"].map(isExactly) ?? true
        else { return answer }
        guard let bytes = range.bytes(of: count) else {
            var refusal = Response.problem(416, "Range not satisfiable")
            refusal.headers["Content-Range"] = "bytes */\(count)"
            return refusal
        }
        answer.status = 206
        answer.headers["Content-Range"] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(count)"
        answer.body = .file(path: path, offset: offset + bytes.lowerBound, count: UInt64(bytes.count))
        return answer
    }

    private func isExactly(_ known: String) -> Bool { tag.map { $0.isStrong && $0.description == known } ?? false }

    // MARK: Compression

    /// The same answer, compressed if the client accepts gzip. A compressed body stays as it is.
    package func compressed(for request: Request, _ compressor: borrowing Compressor) -> Response {
        guard case .bytes(let bytes) = body, bytes.count >= Compressor.least, isText else { return self }
        let varies = headers["Vary"] ?? ""
        // The answer was negotiated before, for the same codings.
        guard !varies.hasSuffix("Accept-Encoding") else { return self }
        var answer = self
        answer.headers["Vary"] = varies.isEmpty ? "Accept-Encoding" : varies + ", Accept-Encoding"
        guard request.takesGzip else { return answer }
        answer.body = .bytes(compressor.gzip(bytes))
        answer.headers["Content-Encoding"] = "gzip"
        return answer
    }

    /// Whether the body is text, which is worth compressing. Fonts and pictures are compressed already.
    private var isText: Bool {
        guard headers["Content-Encoding"] == nil, let type = headers["Content-Type"] else { return false }
        return type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("application/vnd.forme")
    }
}

/// Whether a list of codings, as `Accept-Encoding` has it, allows gzip.
func takesGzip(_ list: String) -> Bool {
    var any = false
    for element in list.split(separator: ",") {
        let words = element.split(separator: ";").map { String($0).withoutOuterSpace.lowercased() }
        guard let coding = words.first else { continue }
        let weight = words.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
        let isAllowed = !(weight.map { !$0.isEmpty && $0.allSatisfy { $0 == "0" || $0 == "." } } ?? false)
        if coding == "gzip" || coding == "x-gzip" { return isAllowed }
        if coding == "*" { any = isAllowed }
    }
    return any
}

/// One range of bytes, as `Range` has it. For several ranges, or other units, the whole file is sent, as RFC 9110
/// allows.
struct ByteRange: Equatable {
    /// The first byte; nil in `-500`, the last 500.
    var first: UInt64?
    /// The last byte; nil in `500-`, all from there on.
    var last: UInt64?

    init?(_ text: String) {
        guard text.hasPrefix("bytes="), let dash = text.firstIndex(of: "-") else { return nil }
        let one = text[text.index(text.startIndex, offsetBy: 6)..<dash]
        let other = text[text.index(after: dash)...]
        guard [one, other].allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } && $0.utf8.count <= 19 }) else {
            return nil
        }
        first = UInt64(one)
        last = UInt64(other)
        if first == nil && last == nil { return nil }
        if let first, let last, last < first { return nil }
    }

    /// The range within a file of this length; nil when the file has none of it.
    func bytes(of count: UInt64) -> Range<UInt64>? {
        guard let first else {
            let length = min(last ?? 0, count)
            return length == 0 ? nil : count - length..<count
        }
        return first < count ? first..<min(last.map { $0 + 1 } ?? count, count) : nil
    }
}
