import Console
import FormeClientZMQ
import Foundation
import Transport
import Wire

struct ImportCommand: Command {
    let name = "import"
    let summary = "brings history in, behind what people write now"
    let usage = """
        usage: forme import [OPTIONS] FILE.jsonl…
               forme import [OPTIONS] -          from standard input

          --strict             ends at the first line that is not kept, instead of listing it and going on
          --restart            from the first line, whatever an import before has done
        \(Place.usage)

        One event a line, as forme post takes them. How far all lines were answered is remembered in
        FILE.jsonl\(ImportBookmark.suffix), so that an import that was interrupted goes on there; importing a line again
        changes nothing. Of standard input nothing is remembered. Several files are imported one after the other. Lines that are not
        kept are listed with their numbers, and make the exit status 1; so are lines that are kept, and that the style does not draw as
        they were meant, with a warning and no consequence.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: name, operands: .max, options: Place.options, switches: ["strict", "restart"])
        guard !arguments.operands.isEmpty else {
            throw arguments.refusal("import takes a FILE, or - for standard input")
        }
        // A file that cannot be read is told before anything of the others is sent.
        let imports = try arguments.operands.map { try Import($0, arguments) }
        var refused = 0
        for one in imports { refused += try one.run() }
        if refused > 0 {
            throw Failure(.failed, "\(refused) lines were not kept; they are listed above")
        }
    }
}

/// The file of an import, and how it is told to the person who waits for it.
private struct Import {
    private let path: String
    private let place: Place
    private let isStrict: Bool
    private let isAlone: Bool
    private let file: FileHandle
    /// Nil of what comes through a pipe.
    private let size: UInt64?
    private let bookmark: ImportBookmark?
    private let start: ImportLedger.Place

    init(_ path: String, _ arguments: Arguments) throws {
        place = try Place(arguments)
        isStrict = arguments.has("strict")
        isAlone = arguments.operands.count == 1
        guard path != "-" else {
            self.path = "standard input"
            (file, size, bookmark, start) = (.standardInput, nil, nil, ImportLedger.Place())
            return
        }
        self.path = path
        guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else {
            throw Failure(.inputOutput, "\(path) cannot be read; check the path, its owner and its mode")
        }
        try file.seek(toOffset: 0)
        let bookmark = ImportBookmark(of: path)
        (self.file, self.size, self.bookmark) = (file, size, bookmark)
        start = arguments.has("restart") ? ImportLedger.Place() : try bookmark.place(in: file)
    }

    /// - Returns: how many lines were not kept.
    func run() throws -> Int {
        if let size, start.offset == size, size > 0 {
            print("\(path): all \(start.lines) lines were imported before; --restart imports them again")
            return 0
        }
        let endpoint = place.endpoints.events
        let producer = try Producer(endpoint, access: place.calling(endpoint, as: "operator"))
        guard try producer.waitUntilWritable(atMost: .seconds(10)) else {
            throw Failure(ClientError.noAnswer(endpoint: endpoint))
        }
        let stop = try Signals([SIGINT, SIGTERM])
        let bar = ProgressBar()
        var importer = try Importer(
            file, from: start, to: producer, warning: { bar.say("\(path):\($0): kept, with a warning: \($1)") }
        ) { line, words in
            bar.say("\(path):\(line): \(words)")
            if isStrict { throw Failure(.failed, "line \(line) was not kept; nothing after it was sent") }
        }
        try work(&importer, stop, bar)
        bar.end()
        return try tell(importer.ledger, isDone: importer.isDone)
    }

    private func work(_ importer: inout Importer, _ stop: Signals, _ bar: ProgressBar) throws {
        var isStopped = false
        var nextSecond = ContinuousClock.now
        defer { try? bookmark?.save(importer.ledger.answered, in: file) }
        while !importer.isDone, !(isStopped && importer.ledger.isEmpty) {
            try importer.turn(readsOn: !isStopped, stop: [stop.source])
            if !stop.takeAll().isEmpty { isStopped = true }
            guard .now >= nextSecond else { continue }
            nextSecond = .now + .milliseconds(bar.isTerminal ? 100 : 1000)
            let answered = importer.ledger.answered
            try bookmark?.save(answered, in: file)
            if let size {
                bar.show(answered.offset, of: size, "\(answered.lines) lines", since: start.offset)
            } else {
                bar.show("\(answered.lines) lines")
            }
        }
    }

    private func tell(_ ledger: ImportLedger, isDone: Bool) throws -> Int {
        let counts = ledger.counts
        var words = ["imported \(counts.accepted) events", "\(counts.duplicate) were there before"]
        if counts.superseded > 0 { words.append("\(counts.superseded) were older than what is there") }
        if counts.invalid > 0 { words.append("\(counts.invalid) were not kept") }
        print((isAlone ? "" : "\(path): ") + words.joined(separator: "; "))
        guard isDone else {
            let next = bookmark == nil ? "what is sent again is known again" : "the same command goes on from there"
            throw Failure(.failed, "interrupted after line \(ledger.answered.lines) of \(path); \(next)")
        }
        return counts.invalid
    }
}
