/// A text together with its name, for errors that an editor can jump to.
///
///     let fonts = try JSONDocument(name: "config/fonts.json5", bytes: bytes, dialect: .json5).read {
///         (root) throws(JSONError) in try FontList(root)
///     }
package struct JSONDocument: Sendable {
    package var name: String
    package var bytes: [UInt8]
    package var dialect: JSONDialect
    package var limits: JSONLimits

    package init(name: String, bytes: [UInt8], dialect: JSONDialect, limits: JSONLimits = JSONLimits()) {
        (self.name, self.bytes, self.dialect, self.limits) = (name, bytes, dialect, limits)
    }

    /// Parses the text, and hands it to `body`. Every error gets its line and column.
    package func read<Result>(_ body: (JSONReader) throws(JSONError) -> Result) throws(JSONError) -> Result {
        do throws(JSONError) {
            return try body(JSONReader(JSONValue.parse(bytes, dialect: dialect, limits: limits)))
        } catch {
            var located = error
            located.source = name
            if error.position == nil { located.position = position(of: error) }
            throw located
        }
    }

    /// The position of an error. Values do not carry their places, so the value is looked up in the text again.
    private func position(of error: JSONError) -> JSONError.Position? {
        guard bytes.count <= limits.bytes else { return nil }
        do throws(JSONError) {
            return try bytes.span.parsing(dialect, limits, .refused) { (parser) throws(JSONError) in
                try parser.position(of: error)
            }
        } catch {
            return nil  // an error about a value that is not in this text
        }
    }
}

extension JSONParser {
    /// The position of the value that an error is about; for an unknown field, that of its key.
    fileprivate mutating func position(of error: JSONError) throws(JSONError) -> JSONError.Position {
        try skipSpace()
        let keys = try find(error.path)
        if case .unknownField = error.problem { index = keys }
        return unsafe JSONError.Position(of: index, in: bytes)
    }

    /// Goes to a value of a text that was parsed before, and returns the index of its key.
    private mutating func find(_ path: JSONPath) throws(JSONError) -> Int {
        switch path {
        case .root: return index
        case .element(let number, of: let parent):
            _ = try find(parent)
            try enter()
            for _ in 0..<number {
                _ = try value()
                try endOfMember(before: "]", expected: .commaOrBracket)
            }
            return index
        case .member(let wanted, of: let parent):
            _ = try find(parent)
            try enter()
            while true {
                let start = index
                if try key() == wanted { return start }
                _ = try value()
                try endOfMember(before: "}", expected: .commaOrBrace)
            }
        }
    }

    private mutating func enter() throws(JSONError) {
        index += 1
        try skipSpace()
    }
}
