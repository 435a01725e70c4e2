package import JSON
import Typography

extension FieldSpec {
    /// The fault for which a message of this kind cannot be laid out; nil where there is none.
    ///
    /// Most messages are written plainly and right: these are gone over once, and no value is made of them.
    ///
    /// - Parameter message: an object that was read before, so it is whole and no key is there twice.
    package func fault(in message: [UInt8]) -> JSONError? {
        let isRight = message.span.skimmingAgain { skimmer in admits(&skimmer, isRoot: true) ? true : nil }
        if isRight == true { return nil }
        do throws(JSONError) {
            let value = try JSONValue.parse(message)
            if let tag = try JSONReader(value).object().optional("lang") { _ = try Language(tag) }
            try check(value, isRoot: true)
            return nil
        } catch {
            return error
        }
    }

    /// Whether an object plainly has the fields that it may have. It may be right even if this is false.
    private func admits(_ skimmer: inout JSONSkimmer, isRoot: Bool = false) -> Bool {
        var required = 0
        let isRight = skimmer.object { skimmer, key in
            if isRoot && skimmer.says(key, "kind") { return skimmer.skip() }
            guard let place = fields.firstIndex(where: { skimmer.says(key, $0.name) }) else { return false }
            if fields[place].isRequired { required += 1 }
            return fields[place].type.admits(&skimmer)
        }
        return isRight && required == fields.count(where: \.isRequired)
    }
}

extension FieldSpec.FieldType {
    fileprivate func admits(_ skimmer: inout JSONSkimmer) -> Bool {
        switch self {
        case .text(let limit): return skimmer.text().map { $0 <= limit } ?? false
        case .integer: return skimmer.integer() != nil
        case .flag: return skimmer.bool() != nil
        case .object(let spec): return spec.admits(&skimmer)
        case .list(let spec, let most):
            return skimmer.elements(atMost: most) { skimmer in spec.admits(&skimmer) }
        case .texts(let most): return skimmer.elements(atMost: most) { skimmer in skimmer.text() != nil }
        case .bars:
            return skimmer.elements(atMost: Self.mostBars) { skimmer in
                skimmer.integer().map { 0...255 ~= $0 } ?? false
            }
        case .picture:
            return skimmer.object { skimmer, key in
                guard skimmer.says(key, "width") || skimmer.says(key, "height") else { return skimmer.skip() }
                return skimmer.integer().map { 1...1_000_000 ~= $0 } ?? false
            }
        }
    }
}

extension JSONSkimmer {
    fileprivate mutating func elements(atMost most: Int, _ element: (inout JSONSkimmer) -> Bool) -> Bool {
        var count = 0
        let isRight = array { skimmer in
            count += 1
            return count <= most && element(&skimmer)
        }
        return isRight
    }
}
