/// Cuts a text into runs of one script, as browsers do before shaping, because fonts kern in some scripts only.
///
/// Common characters join the run before them. Characters that several scripts share narrow down what the run may be,
/// and a closing bracket takes the script of its opening one.
struct ScriptRuns {
    static let common: UInt16 = 0
    static let inherited: UInt16 = 1

    /// Where the run began that is not resolved yet.
    private var start = 0
    private var script = ScriptRuns.common
    /// What a run without a script of its own may still become; empty for anything.
    private var shared: [UInt16] = []
    private var brackets: [(closing: UInt32, script: UInt16, isOpen: Bool)] = []

    private static let deepestBrackets = 32

    /// Writes the script of every unit into `scripts`. `scalar` answers the scalar at a unit and how many units it has.
    static func resolve(
        _ text: [UInt16], table: inout CharacterTable, into scripts: inout [UInt16]
    ) {
        var runs = ScriptRuns()
        var i = 0
        while i < text.count {
            let (scalar, length) = text.scalar(at: i)
            runs.take(scalar, table[scalar], at: i, scripts: &scripts)
            i += length
        }
        runs.close(at: text.count, &scripts)
    }

    private mutating func take(_ scalar: UInt32, _ record: CharacterRecord, at i: Int, scripts: inout [UInt16]) {
        var own = record.script
        if record.traits.contains(.closesBracket), let matched = closeBracket(scalar) { own = matched }
        if own > ScriptRuns.inherited {
            takeScript(own, scalar, record, at: i, &scripts)
        } else if record.traits.contains(.severalScripts) {
            takeShared(Unicode.scriptExtensions(of: scalar), at: i, &scripts)
        }
        if record.traits.contains(.opensBracket) && brackets.count < ScriptRuns.deepestBrackets {
            brackets.append((Unicode.pairedBracket(of: scalar), script, script == ScriptRuns.common))
        }
    }

    private mutating func takeScript(
        _ own: UInt16, _ scalar: UInt32, _ record: CharacterRecord, at i: Int, _ scripts: inout [UInt16]
    ) {
        if own == script { return }
        if script == ScriptRuns.common && (shared.isEmpty || shared.contains(own)) {
            become(own)
            return
        }
        if record.traits.contains(.severalScripts), Unicode.scriptExtensions(of: scalar).contains(script) { return }
        close(at: i, &scripts)
        become(own)
    }

    private mutating func takeShared(_ extensions: [UInt16], at i: Int, _ scripts: inout [UInt16]) {
        if script != ScriptRuns.common {
            if extensions.contains(script) { return }
        } else if shared.isEmpty {
            shared = extensions
            return
        } else {
            let both = shared.filter(extensions.contains)
            if !both.isEmpty {
                shared = both
                return
            }
        }
        close(at: i, &scripts)
        shared = extensions
    }

    private mutating func become(_ own: UInt16) {
        script = own
        shared = []
        for i in brackets.indices where brackets[i].isOpen {
            brackets[i].script = own
            brackets[i].isOpen = false
        }
    }

    private mutating func closeBracket(_ scalar: UInt32) -> UInt16? {
        guard let match = brackets.lastIndex(where: { $0.closing == scalar }) else { return nil }
        let found = brackets[match].script
        brackets.removeSubrange(match...)
        return found
    }

    private mutating func close(at end: Int, _ scripts: inout [UInt16]) {
        for i in start..<end { scripts[i] = script }
        for i in brackets.indices { brackets[i].isOpen = false }
        start = end
        script = ScriptRuns.common
        shared = []
    }
}

extension [UInt16] {
    /// The scalar at unit `i` and how many units it has. A lone surrogate is U+FFFD.
    @inline(__always)
    func scalar(at i: Int) -> (scalar: UInt32, length: Int) {
        let unit = self[i]
        guard unit & 0xf800 == 0xd800 else { return (UInt32(unit), 1) }
        guard unit < 0xdc00, i + 1 < count, self[i + 1] & 0xfc00 == 0xdc00 else { return (0xfffd, 1) }
        return (0x10000 + (UInt32(unit & 0x3ff) << 10 | UInt32(self[i + 1] & 0x3ff)), 2)
    }
}
