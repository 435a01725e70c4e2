import CMicroHTTPD
import Glibc

/// The head of a request as libmicrohttpd parsed it, held against the bytes it was parsed from.
///
/// libmicrohttpd is lenient: it takes bare line feeds, folded lines, spaces before a colon and zero bytes, which a
/// proxy in front may read in another way, and then two programs disagree about where a request ends. It parses in
/// place, so strict form can be checked afterwards: every name must begin where the line before it ended, in one
/// CRLF.
struct HeaderBlock {
    private(set) var headers: Headers = [:]
    private var isStrict: Bool
    /// HTTP 1.1 and later must name a host; 1.0 need not.
    private let needsHost: Bool
    /// The address at which the next name must begin.
    private var next: UInt
    // The fields that decide whether a request can be taken, noted as they come: every request needs them.
    private var hosts = 0
    private var lengths = 0
    private var length = ""
    private var hasCoding = false

    /// - Parameter target: the request's target as it was written, for its length.
    init(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, target: [UInt8], version: UnsafePointer<CChar>
    ) {
        let start = UInt(bitPattern: method)
        let versionStart = UInt(bitPattern: version)
        needsHost = unsafe strcmp(version, "HTTP/1.0") != 0
        // METHOD SP TARGET SP HTTP/1.x CRLF
        isStrict = unsafe start + UInt(strlen(method)) + 1 + UInt(target.count) + 1 == versionStart
        if target.contains(0x20) { isStrict = false }
        next = versionStart + 8 + 2
        unsafe withUnsafeMutablePointer(to: &self) { block in
            _ = unsafe MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { block, _, name, nameLength, value, valueLength in
                    guard let block = unsafe block, let name = unsafe name else { return .NO }
                    unsafe block.assumingMemoryBound(to: HeaderBlock.self).pointee.read(
                        name: UnsafeRawBufferPointer(start: name, count: nameLength),
                        value: UnsafeRawBufferPointer(start: value, count: valueLength))
                    return .YES
                }, UnsafeMutableRawPointer(block))
        }
        if next + 2 != start + UInt(unsafe forme_http_header_size(connection)) { isStrict = false }
    }

    @unsafe private mutating func read(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let place = UInt(bitPattern: name.baseAddress)
        let valuePlace = UInt(bitPattern: value.baseAddress)
        if place != next || valuePlace < place + UInt(name.count) + 1 { isStrict = false }
        next = valuePlace + UInt(value.count) + 2
        guard unsafe !name.isEmpty, unsafe name.allSatisfy(\.isTokenByte),
            unsafe value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { return isStrict = false }
        let (field, text) = unsafe (
            String(decoding: name, as: UTF8.self), String(decoding: value.withoutOuterSpace, as: UTF8.self)
        )
        headers.add(field, text)
        switch name.count {
        case 4: if field.isSameName(as: "Host") { hosts += 1 }
        case 14: if field.isSameName(as: "Content-Length") { (lengths, length) = (lengths + 1, text) }
        case 17: if field.isSameName(as: "Transfer-Encoding") { hasCoding = true }
        default: break
        }
    }

    /// The bytes of the body, if it can be taken.
    var bodyLength: Int { lengths == 0 ? 0 : Int(length) ?? 0 }

    /// Returns the refusal of a request that cannot be taken; nil when it can.
    func refusal(bodyLimit: Int) -> Response? {
        guard isStrict, needsHost ? hosts == 1 : hosts <= 1, lengths <= 1 else {
            return .problem(
                400, "Malformed request",
                "the request line or a field is not as in RFC 9112, or Host or Content-Length is not there once")
        }
        // With one way to give the length of a body, no two programs disagree about it.
        if hasCoding { return .problem(411, "Content-Length is required") }
        if lengths == 1 {
            // libmicrohttpd has checked that these are digits and no more than 64 bits.
            guard let count = UInt64(length) else {
                return .problem(400, "Malformed request", "Content-Length: is no number")
            }
            if count > UInt64(bodyLimit) { return .tooLarge(limit: bodyLimit) }
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes without spaces and tabs at both ends.
    @unsafe fileprivate var withoutOuterSpace: Slice<UnsafeRawBufferPointer> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var rest = unsafe self[...]
        while let last = unsafe rest.last, isSpace(last) { unsafe rest.removeLast() }
        return unsafe rest.drop(while: isSpace)
    }
}

extension UInt8 {
    /// Whether the byte may stand in a field name (RFC 9110, 5.6.2).
    fileprivate var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: "!#$%&'*+.^_`|~".utf8.contains(self)
        }
    }
}
