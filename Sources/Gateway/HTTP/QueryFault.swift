import HTTP
import JSON
import Wire

/// A fault of a request that its sender can mend: told with the field, and with the values that it may have.
enum QueryFault: Error, Equatable {
    /// A field of the query that has to be there.
    case missing(String, expected: String)
    /// A field of the path, the query or the head.
    case field(String, found: String, expected: String)
    /// A name that this query does not have, most likely a slip of the pen.
    case unknown(String, known: [String])
    /// A name that is there twice, so that its meaning is ambiguous.
    case repeated(String)
    /// A fault of a word or of events that were posted, with its place.
    case body(String)

    /// The bytes of a value that is repeated whole; of a longer one as many scalars are.
    private static let longest = 40

    private static func beginning(of text: String) -> String { String(text.unicodeScalars.prefix(longest)) }

    var detail: String {
        switch self {
        case .missing(let name, let expected): "\(name): is missing; expected \(expected)"
        case .field(let name, let found, let expected):
            found.utf8.count <= Self.longest
                ? "\(name): '\(found)' is not \(expected)"
                : "\(name): '\(Self.beginning(of: found))…' is not \(expected)"
        case .unknown(let name, let known):
            "\(Self.beginning(of: name)): unknown; "
                + (known.isEmpty ? "none are known" : "known are \(known.joined(separator: ", "))")
                + (NameSpelling(name).nearest(of: known).map { "; did you mean \($0)?" } ?? "")
        case .repeated(let name): "\(name): is there more than once"
        case .body(let reason): reason
        }
    }

    var response: Response {
        var json = JSONWriter()
        json.object {
            $0.member("type", "about:blank")
            $0.member("title", "The request cannot be read")
            $0.member("status", 400)
            $0.member("detail", detail)
        }
        return Response(
            400, headers: ["Content-Type": "application/problem+json", "Cache-Control": "no-store"],
            body: .bytes(json.bytes + [UInt8(ascii: "\n")]))
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    fileprivate mutating func member(_ name: String, _ number: Int) {
        key(name)
        integer(number)
    }
}
