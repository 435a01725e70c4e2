import JSON

/// The values that the fields of a template find: the message, and in front of it the current elements of lists.
struct Scope {
    private let root: JSONValue
    /// The members of the message, as most questions are about one of them.
    private let members: JSONObject?
    private var locals: [Local] = []

    struct Local {
        var name: String
        var value: JSONValue
        /// The field of the message that it comes from, and its place if that is a list.
        var path: FieldPath
        var place: Int?

        init(_ name: String, _ value: JSONValue, of path: FieldPath, at place: Int? = nil) {
            (self.name, self.value, self.path, self.place) = (name, value, path, place)
        }
    }

    init(_ root: JSONValue) { (self.root, members) = (root, root.object) }

    mutating func push(_ local: Local) { locals.append(local) }

    mutating func pop() { locals.removeLast() }

    func value(_ path: FieldPath) -> JSONValue? {
        // As a rule nothing is in front of the message.
        guard locals.isEmpty else {
            let (start, rest) = start(of: path)
            return rest.reduce(start) { $0?[$1] }
        }
        return path.names.count == 1 ? members?[path.names[0]] : path.names.reduce(root) { $0?[$1] }
    }

    /// The path of a field from the message on, elements of lists by their numbers.
    func location(of path: FieldPath) -> Location { location(of: path, within: locals[...]) }

    /// The innermost list element; nil if there is only the message.
    var innermost: Location? {
        locals.last { $0.place != nil }.map { location(of: FieldPath([$0.name])) }
    }

    private func location(of path: FieldPath, within locals: ArraySlice<Local>) -> Location {
        guard let own = locals.lastIndex(where: { $0.name == path.names[0] }) else {
            return Location(field: path.description)
        }
        var found = location(of: locals[own].path, within: locals[..<own])
        if let place = locals[own].place { found.enter(place) }
        for name in path.names.dropFirst() { found.field += found.field.isEmpty ? name : ".\(name)" }
        return found
    }

    /// A way from the beginning of the message: through elements of lists to a field.
    struct Location {
        var elements: [(list: String, place: Int)] = []
        var field: String

        fileprivate mutating func enter(_ place: Int) {
            elements.append((field, place))
            field = ""
        }

        /// `options[2].text`
        var description: String {
            (elements.map { "\($0.list)[\($0.place)]" } + (field.isEmpty ? [] : [field])).joined(separator: ".")
        }
    }

    private func start(of path: FieldPath) -> (JSONValue, ArraySlice<String>) {
        if let local = locals.last(where: { $0.name == path.names[0] }) {
            return (local.value, path.names.dropFirst())
        }
        return (root, path.names[...])
    }

    func holds(_ condition: Condition) -> Bool { condition.holds(value(condition.path)) }

    /// A number of the message, not below 0 and not above `most`.
    func amount(_ path: FieldPath, most: Int) -> Int { max(0, min(value(path)?.number?.integer ?? 0, most)) }

    func picture(_ path: FieldPath) -> PixelSize {
        let picture = value(path)
        return PixelSize(
            width: Int32(clamping: picture?["width"]?.number?.integer ?? 0),
            height: Int32(clamping: picture?["height"]?.number?.integer ?? 0))
    }

    func bars(_ path: FieldPath) -> [UInt8] {
        (value(path)?.array ?? []).map { UInt8(clamping: $0.number?.integer ?? 0) }
    }

    /// The words to be shown, and whether they are generated: then they are nowhere in the message.
    func text(_ binding: TextBinding) -> (words: String, isGenerated: Bool) {
        if let field = binding.field {
            let found = value(field)
            if let text = found?.string { return (text, isOfBlock(field)) }
            let text = TextBinding.Format.plain.text(found)
            return (text, !text.isEmpty)
        }
        var text = ""
        for piece in binding.pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .field(let path, let format): text += format.text(value(path))
            }
        }
        return (text, true)
    }

    /// Whether a path leads to a fact about a block of Markdown, which is no field of the message.
    private func isOfBlock(_ path: FieldPath) -> Bool {
        locals.last { $0.name == path.names[0] }.map { $0.place == nil } ?? false
    }
}

extension Condition {
    /// Whether the condition holds for the value at its path.
    func holds(_ value: JSONValue?) -> Bool {
        let holds =
            switch test {
            case .holds: value?.isSomething ?? false
            case .equals(let word): value?.string == word || value?.number?.description == word
            }
        return holds != isNegated
    }
}

extension JSONValue {
    /// Whether the value is not missing, false, zero or empty.
    fileprivate var isSomething: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .number(let number): number.magnitude != 0
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object: true
        }
    }
}

extension TextBinding.Format {
    /// A value as readers see it. Digits and marks are the same for all readers; words would be the backend's to
    /// translate.
    func text(_ value: JSONValue?) -> String {
        if let text = value?.string { return text }
        guard let number = value?.number?.integer else { return "" }
        switch self {
        case .plain: return String(number)
        case .percent: return "\(number)%"
        case .time:
            let (hours, minutes, seconds) = (number / 3600, number / 60 % 60, number % 60)
            let tail = "\(minutes):" + (seconds < 10 ? "0" : "") + "\(seconds)"
            let short = (hours > 0 && minutes < 10 ? "0" : "") + tail
            return hours > 0 ? "\(hours):\(short)" : short
        case .bytes: return number.shortened(by: 1000, units: [" B", " KB", " MB", " GB", " TB"])
        case .count: return number.shortened(by: 1000, units: ["", "K", "M", "B"])
        }
    }
}

extension Int {
    /// 1400 as 1.4 and a unit: one decimal below ten, none above; rounded down, so that nothing is claimed early.
    fileprivate func shortened(by step: Int, units: [String]) -> String {
        var (whole, tenths, place) = (Swift.max(0, self), 0, 0)
        while whole >= step, place + 1 < units.count {
            tenths = whole % step * 10 / step
            whole /= step
            place += 1
        }
        return place > 0 && whole < 10 && tenths > 0 ? "\(whole).\(tenths)\(units[place])" : "\(whole)\(units[place])"
    }
}
