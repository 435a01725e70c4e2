extension JSONValue {
    /// Reads one whole text. Total: every input is either a value or an error that says where and why.
    ///
    /// Takes time in proportion to the text, except that an object with many keys that differ only in how Unicode
    /// composes them costs their comparison. Keys that Unicode holds equal are duplicates.
    package static func parse(
        _ bytes: Span<UInt8>, dialect: JSONDialect = .json, limits: JSONLimits = JSONLimits(),
        loneSurrogates: LoneSurrogates = .refused
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw JSONError(problem: .textLimit(limits.bytes)) }
        return try bytes.parsing(dialect, limits, loneSurrogates) { (parser) throws(JSONError) in
            try parser.text()
        }
    }

    package static func parse(
        _ bytes: [UInt8], dialect: JSONDialect = .json, limits: JSONLimits = JSONLimits(),
        loneSurrogates: LoneSurrogates = .refused
    ) throws(JSONError) -> JSONValue {
        try parse(bytes.span, dialect: dialect, limits: limits, loneSurrogates: loneSurrogates)
    }
}

extension Span<UInt8> {
    /// Lends a parser of these bytes after checking that they are UTF-8, so that no later step has to check.
    func parsing<Result>(
        _ dialect: JSONDialect, _ limits: JSONLimits, _ loneSurrogates: LoneSurrogates,
        _ body: (inout JSONParser) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        try unsafe withUnsafeBufferPointer { (buffer) throws(JSONError) in
            do throws(UTF8.ValidationError) {
                _ = try UTF8Span(validating: self)
            } catch {
                let position = unsafe JSONError.Position(of: error.byteOffsets.lowerBound, in: buffer)
                throw JSONError(problem: .invalidUTF8, position: position)
            }
            var parser = unsafe JSONParser(
                bytes: buffer, dialect: dialect, limits: limits, loneSurrogates: loneSurrogates)
            return try body(&parser)
        }
    }
}

/// Recursive descent over bytes. The rules of strings, numbers and space are in files of their own.
@safe struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>  // UTF-8, lent for as long as the parser lives
    let end: Int
    let dialect: JSONDialect
    let limits: JSONLimits
    let loneSurrogates: LoneSurrogates
    var index = 0
    private var depth = 0
    var unescaped: [UInt8] = []  // the one string that is being put together, kept for its capacity

    init(
        bytes: UnsafeBufferPointer<UInt8>, dialect: JSONDialect, limits: JSONLimits, loneSurrogates: LoneSurrogates
    ) {
        unsafe (self.bytes, end) = (bytes, bytes.count)
        (self.dialect, self.limits, self.loneSurrogates) = (dialect, limits, loneSurrogates)
    }
}

extension JSONParser {
    /// The byte here, or 0 after the end: no rule allows a NUL, so the two cannot be confused.
    var byte: UInt8 { byte(ahead: 0) }

    func byte(ahead: Int) -> UInt8 {
        index + ahead < end ? unsafe bytes[index + ahead] : 0
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    func error(_ problem: JSONError.Problem, at offset: Int? = nil) -> JSONError {
        unsafe JSONError(problem: problem, position: JSONError.Position(of: offset ?? index, in: bytes))
    }

    func unexpected(expected: JSONError.Expectation) -> JSONError {
        let rest = unsafe String(decoding: bytes[index..<min(index + 4, end)], as: UTF8.self)
        return error(.unexpected(rest.unicodeScalars.first, expected: expected))
    }
}

extension JSONParser {
    mutating func text() throws(JSONError) -> JSONValue {
        try skipSpace()
        let value = try value()
        try skipSpace()
        guard index == end else { throw unexpected(expected: .endOfText) }
        return value
    }

    mutating func value() throws(JSONError) -> JSONValue {
        switch byte {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "'") where dialect == .json5: return .string(try string())
        case UInt8(ascii: "{"): return .object(JSONObject(try members()))
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "t") where skip(word: "true"): return .bool(true)
        case UInt8(ascii: "f") where skip(word: "false"): return .bool(false)
        case UInt8(ascii: "n") where skip(word: "null"): return .null
        default: return .number(try number())
        }
    }

    mutating func skip(word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard index + count <= end else { return false }
        for offset in 0..<count where unsafe bytes[index + offset] != word.utf8Start[offset] { return false }
        index += count
        return true
    }

    /// Goes from the opening bracket to the first member.
    private mutating func open() throws(JSONError) {
        guard depth < limits.depth else { throw error(.depthLimit(limits.depth)) }
        depth += 1
        index += 1
        try skipSpace()
    }

    private mutating func elements() throws(JSONError) -> [JSONValue] {
        try open()
        var elements: [JSONValue] = []
        while !skip("]") {
            guard elements.count < limits.members else { throw error(.memberLimit(limits.members)) }
            elements.append(try value())
            try endOfMember(before: "]", expected: .commaOrBracket)
        }
        depth -= 1
        return elements
    }

    private mutating func members() throws(JSONError) -> [JSONObject.Member] {
        try open()
        var members: [JSONObject.Member] = []
        members.reserveCapacity(8)
        var keys = KeySet()
        while !skip("}") {
            guard members.count < limits.members else { throw error(.memberLimit(limits.members)) }
            let start = index
            let key = try key()
            guard keys.insert(key, after: members) else { throw error(.duplicateKey(key), at: start) }
            members.append(JSONObject.Member(key, try value()))
            try endOfMember(before: "}", expected: .commaOrBrace)
        }
        depth -= 1
        return members
    }

    /// Leaves the parser at the next member or at the bracket that ends them all.
    mutating func endOfMember(
        before bracket: Unicode.Scalar, expected: JSONError.Expectation
    ) throws(JSONError) {
        try skipSpace()
        guard skip(",") else {
            guard byte == UInt8(ascii: bracket) else { throw unexpected(expected: expected) }
            return
        }
        try skipSpace()
        if byte == UInt8(ascii: bracket), dialect == .json {
            throw unexpected(expected: bracket == "]" ? .value : .key)
        }
    }

    /// A key and its colon.
    mutating func key() throws(JSONError) -> String {
        let isQuoted = byte == UInt8(ascii: "\"") || (dialect == .json5 && byte == UInt8(ascii: "'"))
        let key = isQuoted ? try string() : try bareKey()
        try skipSpace()
        guard skip(":") else { throw unexpected(expected: .colon) }
        try skipSpace()
        return key
    }

    private mutating func bareKey() throws(JSONError) -> String {
        let start = index
        guard dialect == .json5, byte.isBareKey, !byte.isDigit else { throw unexpected(expected: .key) }
        while byte.isBareKey { index += 1 }
        return try text(of: start..<index)
    }
}

extension UInt8 {
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    fileprivate var isBareKey: Bool {
        isDigit || (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_") || self == UInt8(ascii: "$")
    }
}

/// The keys of one object so far. Few are compared one by one; many are hashed, so that the time stays linear for a
/// hostile object with a million keys.
private struct KeySet {
    private static let few = 12
    private var many: Set<String> = []

    /// Inserts a key; false when it is there already.
    mutating func insert(_ key: String, after members: [JSONObject.Member]) -> Bool {
        if members.count < Self.few { return !members.contains { $0.key == key } }
        if many.isEmpty { many = Set(members.lazy.map(\.key)) }
        return many.insert(key).inserted
    }
}
