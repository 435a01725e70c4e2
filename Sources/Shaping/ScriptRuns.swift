/// The runs of one script that a text is cut into before shaping, as browsers cut it, because fonts kern in some
/// scripts only.
///
/// Every character brings a set of scripts. A run goes on while its own set and the next character's have a script in
/// common, and keeps the shared ones; Common and Inherited agree with everything. A closing bracket brings the script
/// that the run of its opening one turned out to have. Runs may end inside a grapheme cluster: a Hebrew point on a
/// Latin letter is a run of its own.
struct ScriptRuns {
    static let common: UInt16 = 0
    static let inherited: UInt16 = 1
    static let arabic: UInt16 = 2
    static let hebrew: UInt16 = 19
    static let hiragana: UInt16 = 20
    private static let latin: UInt16 = 25

    /// Scripts that a character or a run may have, the likeliest first.
    private struct Candidates {
        var first: UInt16
        var others: [UInt16] = []

        func contains(_ script: UInt16) -> Bool { first == script || others.contains(script) }
    }

    /// The start of the run that is not resolved yet.
    private var start = 0
    private var run = Candidates(first: ScriptRuns.common)
    /// The script that a run of nothing but Common gets: the one that goes with its first character of that kind.
    private var preferred = ScriptRuns.common
    /// Opening brackets, and the scripts of their runs; Common until the run has ended.
    private var brackets: [(opening: UInt32, script: UInt16)] = []
    /// The number of the last brackets that stand in the run that is not resolved.
    private var unresolved = 0

    private static let deepestBrackets = 32

    /// Writes the script of every unit into `scripts`.
    static func resolve(_ text: [UInt16], _ characters: [CharacterRecord], into scripts: inout [UInt16]) {
        var runs = ScriptRuns()
        var i = 0
        while i < text.count {
            let record = characters[i]
            let next = i + record.length
            let isUnusual = !record.traits.isDisjoint(with: [.severalScripts, .opensBracket, .closesBracket])
            if record.script == common && hasScriptsOfMark(at: next, characters) {
                let applied = candidates(Unicode.scriptExtensions(of: text.scalar(at: next).scalar))
                if isUnusual {
                    runs.takeUnusual(text.scalar(at: i).scalar, record, applied, at: i, &scripts)
                } else {
                    runs.take(applied, at: i, &scripts)
                }
            } else if isUnusual {
                runs.takeUnusual(text.scalar(at: i).scalar, record, nil, at: i, &scripts)
            } else if !runs.goesOn(in: record.script) {
                runs.take(Candidates(first: record.script), at: i, &scripts)
            }
            i = next
        }
        runs.close(at: text.count, &scripts)
    }

    /// Whether a character of a script goes on with the run, as most characters do.
    private func goesOn(in script: UInt16) -> Bool {
        script <= ScriptRuns.inherited || script == run.first && run.others.isEmpty
    }

    /// Whether an inherited mark follows that has scripts of its own: a Common base before it takes them over.
    private static func hasScriptsOfMark(at i: Int, _ characters: [CharacterRecord]) -> Bool {
        i < characters.count && characters[i].script == inherited && characters[i].traits.contains(.severalScripts)
    }

    private mutating func takeUnusual(
        _ scalar: UInt32, _ record: CharacterRecord, _ mark: Candidates?, at i: Int, _ scripts: inout [UInt16]
    ) {
        var next = ScriptRuns.candidates(of: scalar, record)
        if let mark, next.first == ScriptRuns.common { next = mark }
        let opens = record.traits.contains(.opensBracket)
        if opens { open(scalar) }
        if record.traits.contains(.closesBracket), let script = closeBracket(Unicode.pairedBracket(of: scalar)) {
            next = Candidates(first: script)
        }
        take(next, at: i, endsBeforeBracket: opens, &scripts)
    }

    private static func candidates(of scalar: UInt32, _ record: CharacterRecord) -> Candidates {
        // Browsers count opening full-width brackets among the ideographic punctuation.
        let isWideBracket = record.script == common && record.traits.isSuperset(of: [.opensBracket, .fullWidth])
        if isWideBracket { return candidates(Unicode.scriptExtensions(of: 0x3001)) }
        guard record.traits.contains(.severalScripts), record.script != inherited else {
            return Candidates(first: record.script)
        }
        let extensions = Unicode.scriptExtensions(of: scalar)
        if record.script != common {
            return Candidates(first: record.script, others: extensions.filter { $0 != record.script })
        }
        return extensions.count == 1 ? Candidates(first: common, others: extensions) : candidates(extensions)
    }

    /// The lowest number comes first, but Latin last.
    private static func candidates(_ extensions: [UInt16]) -> Candidates {
        let first = extensions.min { $0 != latin && ($1 == latin || $0 < $1) } ?? common
        return Candidates(first: first, others: extensions.filter { $0 != first })
    }

    @inline(__always)
    private mutating func take(
        _ next: Candidates, at i: Int, endsBeforeBracket: Bool = false, _ scripts: inout [UInt16]
    ) {
        if next.first == run.first && run.others.isEmpty && next.others.isEmpty { return }
        if next.first <= ScriptRuns.inherited {
            let mayPrefer = run.first <= ScriptRuns.inherited && preferred == ScriptRuns.common
            if mayPrefer && next.others.count == 1 { preferred = next.others[0] }
        } else if run.first <= ScriptRuns.inherited {
            run = next
        } else if let shared = shared(with: next) {
            run = shared
        } else {
            close(at: i, endsBeforeBracket: endsBeforeBracket, &scripts)
            run = next
        }
    }

    private func shared(with next: Candidates) -> Candidates? {
        var first = next.contains(run.first) ? run.first : nil
        if run.others.isEmpty { return first.map { Candidates(first: $0) } }
        // All scripts of the next character count, except its first once that has been tried.
        if first == nil && run.others.contains(next.first) { first = next.first }
        var all = run.others.filter { $0 != first && next.contains($0) }
        if let first { return Candidates(first: first, others: all) }
        return all.isEmpty ? nil : Candidates(first: all.removeFirst(), others: all)
    }

    private mutating func open(_ scalar: UInt32) {
        if brackets.count == ScriptRuns.deepestBrackets {
            brackets.removeFirst()
            unresolved = min(unresolved, brackets.count)
        }
        brackets.append((scalar, ScriptRuns.common))
        unresolved += 1
    }

    /// Forgets the brackets that were opened inside the bracket, but not the bracket.
    private mutating func closeBracket(_ opening: UInt32) -> UInt16? {
        guard let match = brackets.lastIndex(where: { $0.opening == opening }) else { return nil }
        let inner = brackets.count - 1 - match
        brackets.removeLast(inner)
        unresolved = max(0, unresolved - inner)
        return brackets[match].script
    }

    /// A bracket that begins the next run is resolved with that one.
    private mutating func close(at end: Int, endsBeforeBracket: Bool = false, _ scripts: inout [UInt16]) {
        let script = run.first == ScriptRuns.common ? preferred : run.first
        for i in start..<end { scripts[i] = script }
        let left = endsBeforeBracket ? 1 : 0
        for i in max(0, brackets.count - unresolved)..<max(0, brackets.count - left) { brackets[i].script = script }
        unresolved = left
        start = end
    }
}
