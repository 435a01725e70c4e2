import Foundation

/// Destination of spans: a file, of which each line is a request of OTLP/JSON, or a collector on this machine that
/// takes such requests over HTTP.
package enum TraceTarget: Equatable, Sendable {
    case file(String)
    case collector(host: String, port: UInt16, path: String)

    /// Nil where a text begins as the address of a collector and is none.
    package init?(_ text: String) {
        guard let scheme = text.range(of: "://") else {
            self = .file(text)
            return
        }
        guard text[..<scheme.lowerBound] == "http" else { return nil }
        let rest = text[scheme.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        guard let colon = rest[..<slash].lastIndex(of: ":"), colon > rest.startIndex,
            let port = UInt16(rest[rest.index(after: colon)..<slash]), port > 0,
            rest.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        let path = slash == rest.endIndex ? "/v1/traces" : String(rest[slash...])
        self = .collector(host: String(rest[..<colon]), port: port, path: path)
    }

    /// `HOST:PORT` of a collector.
    package var address: String? {
        guard case .collector(let host, let port, _) = self else { return nil }
        return "\(host):\(port)"
    }
}

/// Writes spans as OTLP/JSON.
struct TraceWriter: Sendable {
    let daemon: String
    let target: TraceTarget

    private static let mostBytes = 64 << 20

    /// - Parameter dropped: the number of spans that were dropped since the process began.
    /// - Returns: the reason why they could not be written; nil where they were.
    func write(_ spans: [TraceSpan], dropped: Int) -> String? {
        let request = Array(OTLPRequest.text(spans, of: daemon, process: getpid(), dropped: dropped).utf8)
        switch target {
        case .file(let path): return Self.append(request + [0x0A], to: path)
        case .collector(let host, let port, let path):
            return Self.post(request, to: path, host: host, port: port)
        }
    }

    /// The file only grows; past some megabytes it becomes `FILE.1`, in the place of the one before.
    private static func append(_ line: [UInt8], to path: String) -> String? {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return reason() }
        defer { close(file) }
        // One call, so that lines of several processes do not mix.
        guard unsafe Foundation.write(file, line, line.count) == line.count else { return reason() }
        var facts = stat()
        if unsafe fstat(file, &facts) == 0, facts.st_size > mostBytes { _ = unsafe rename(path, path + ".1") }
        return nil
    }

    /// Seconds that a collector may take.
    private static let patience = 2

    private static func post(_ body: [UInt8], to path: String, host: String, port: UInt16) -> String? {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard connection >= 0 else { return reason() }
        defer { close(connection) }
        var time = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            unsafe setsockopt(connection, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard unsafe inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &address.sin_addr) == 1 else {
            return "\(host) is no address"
        }
        let isConnected = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe connect(
                connection, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
        guard isConnected else { return reason() }
        let head =
            "POST \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n"
            + "Connection: close\r\n\r\n"
        var rest = (Array(head.utf8) + body)[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return reason() }
            rest.removeFirst(sent)
        }
        // Only the status is of interest.
        var answer = [UInt8](repeating: 0, count: 64)
        let count = unsafe recv(connection, &answer, answer.count, 0)
        guard count > 0 else { return count == 0 ? "it closed the connection" : reason() }
        let words = String(decoding: answer.prefix(count), as: UTF8.self).split(separator: " ")
        guard words.count > 1, words[1].hasPrefix("2") else {
            return "it answered \(words.dropFirst().first ?? "nothing")"
        }
        return nil
    }

    private static func reason() -> String { unsafe String(cString: strerror(errno)) }
}

/// A request of OpenTelemetry's protocol (`ExportTraceServiceRequest`), in its form as JSON.
enum OTLPRequest {
    static func text(_ spans: [TraceSpan], of daemon: String, process: Int32, dropped: Int) -> String {
        let resource = [
            attribute("service.name", text: "forme"), attribute("service.instance.id", text: "\(daemon)-\(process)"),
            attribute("forme.daemon", text: daemon), attribute("process.pid", number: Int(process)),
            attribute("forme.spans.dropped", number: dropped),
        ]
        return #"{"resourceSpans":[{"resource":{"attributes":["# + resource.joined(separator: ",")
            + #"]},"scopeSpans":[{"scope":{"name":"forme"},"spans":["# + spans.map(text).joined(separator: ",")
            + "]}]}]}"
    }

    private static func text(_ span: TraceSpan) -> String {
        let parent = span.isRoot ? "" : #""parentSpanId":"\#(TraceID.digits(span.message.trace.root))","#
        let attributes = [
            attribute("forme.conversation", text: HiddenID.text(of: span.message.conversation)),
            attribute("forme.message", text: HiddenID.text(of: span.message.message)),
            attribute("forme.revision", number: Int(clamping: span.message.revision)),
        ]
        return #"{"traceId":"\#(span.message.trace.text)","spanId":"\#(TraceID.digits(span.id))",\#(parent)"#
            + #""name":"\#(span.name)","kind":1,"startTimeUnixNano":"\#(span.start)","endTimeUnixNano":"\#(span.end)","#
            + #""attributes":["# + attributes.joined(separator: ",") + "]}"
    }

    // Names and texts are ours, and need no quotes.
    private static func attribute(_ name: String, text: String) -> String {
        #"{"key":"\#(name)","value":{"stringValue":"\#(text)"}}"#
    }

    private static func attribute(_ name: String, number: Int) -> String {
        #"{"key":"\#(name)","value":{"intValue":"\#(number)"}}"#
    }
}
