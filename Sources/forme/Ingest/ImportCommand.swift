import Console
import FormeClientZMQ
import Foundation
import Storage
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
        \(QuietOption.usage)
        \(Place.usage)

        One event a line, as forme post takes them. How far all lines were answered is remembered in
        FILE.jsonl\(ImportBookmark.suffix), so that an import that was interrupted goes on there; importing a line again
        changes nothing. Into another service, or a folder that was restored, it begins anew. Of standard input nothing is remembered.
        Several files are imported one after the other. Lines that are not kept are listed with their numbers, and make the exit
        status 1, also of a later import that goes on behind them; lines that are kept, and that the style does not draw as they were
        meant, are listed, too, with a warning and no consequence. Empty lines are passed over.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: name, operands: .max, options: Place.options, switches: ["strict", "restart", QuietOption.name])
        guard !arguments.operands.isEmpty else {
            throw arguments.refusal("import takes a FILE, or - for standard input")
        }
        // A file that cannot be read is reported before anything of the others is sent.
        let imports = try arguments.operands.map { try Import($0, arguments) }
        var (refused, before) = (0, 0)
        for one in imports {
            let counts = try one.run()
            (refused, before) = (refused + counts.here, before + counts.before)
        }
        if before > 0 {
            throw Failure(
                .failed,
                "\(refused + before) lines were not kept, \(before) of them by imports before; --restart lists all of them"
            )
        }
        if refused > 0 {
            throw Failure(.failed, "\(refused) lines were not kept; they are listed above")
        }
    }
}

/// An import of one file, with its progress for the person who waits for it.
private struct Import {
    private let path: String
    private let place: Place
    private let isStrict: Bool
    private let isAlone: Bool
    private let arguments: Arguments
    private let file: FileHandle
    /// The size of the file; nil for a pipe.
    private let size: UInt64?
    private let bookmark: ImportBookmark?
    private let restarts: Bool

    init(_ path: String, _ arguments: Arguments) throws {
        place = try Place(arguments)
        isStrict = arguments.has("strict")
        self.arguments = arguments
        isAlone = arguments.operands.count == 1
        let isFolder = FileManager.default.isFolder(path == "-" ? "/dev/stdin" : path)
        guard !isFolder else {
            let name = path == "-" ? "standard input" : path
            throw Failure(.inputOutput, "\(name) is a folder; name a file with an event a line")
        }
        guard path != "-" else {
            self.path = "standard input"
            (file, size, bookmark, restarts) = (.standardInput, nil, nil, true)
            return
        }
        self.path = path
        guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else {
            throw Failure(.inputOutput, "\(path) cannot be read; check the path, its owner and its mode")
        }
        try file.seek(toOffset: 0)
        (self.file, self.size, bookmark) = (file, size, ImportBookmark(of: path))
        restarts = arguments.has("restart")
        _ = try memory()
    }

    /// The service that lines go to: the era of its journal where the folder is at hand, so that a folder that was
    /// made anew or restored is another one; otherwise its address.
    private var service: String {
        let endpoint = place.endpoints.events
        guard endpoint.hasPrefix("ipc://"), let manifest = try? FolderManifest.read(in: place.folder) else {
            return endpoint
        }
        return "era \(String(manifest.era, radix: 16))"
    }

    /// The state from which the import goes on; nil where it begins.
    private func memory() throws -> ImportBookmark.Memory? {
        restarts ? nil : try bookmark?.memory(of: service, in: file)
    }

    /// - Returns: the number of lines that were not kept, among those read here and those read before.
    func run() throws -> (here: Int, before: Int) {
        if let size, let known = try memory(), known.place.offset == size, size > 0 {
            let lines = known.place.lines
            let refused = known.refused > 0 ? "; \(known.refused) of \(lines) lines were not kept" : ""
            print("\(path): all \(lines) lines were imported before\(refused); --restart imports them again")
            return (0, known.refused)
        }
        let endpoint = place.endpoints.events
        let producer = try Producer(endpoint, access: place.calling(endpoint, as: "operator"))
        if try !producer.waitUntilWritable(atMost: Place.silence) {
            try place.tellOfWaiting(for: endpoint, isQuestion: false)
            guard try producer.waitUntilWritable(atMost: .seconds(10)) else {
                throw Failure(ClientError.noAnswer(endpoint: endpoint))
            }
        }
        // The service may have begun meanwhile with another journal.
        let known = try memory()
        var start = known ?? ImportBookmark.Memory()
        start.service = service
        let stop = try Signals([SIGINT, SIGTERM])
        let bar = ProgressBar(arguments)
        if known == nil, !restarts, let bookmark, bookmark.isThere {
            bar.say("\(path): begins with the first line, as an import before went to another service")
        }
        var importer = try Importer(
            file, from: start.place, to: producer,
            warning: { bar.say("\(path):\($0): kept, with a warning: \($1.visible)") }
        ) { line, words in
            bar.say("\(path):\(line): \(words.visible)")
            // Many lines are in one request, and many requests under way.
            guard isStrict else { return }
            throw Failure(
                .failed,
                "line \(line) was not kept, and the import ends; some lines around it may be kept, and change nothing when they are "
                    + "sent again")
        }
        try work(&importer, from: start, stop, bar)
        bar.end()
        try tell(importer.ledger, isDone: importer.isDone)
        return (importer.ledger.counts.invalid, start.refused)
    }

    private func work(
        _ importer: inout Importer, from start: ImportBookmark.Memory, _ stop: Signals, _ bar: ProgressBar
    ) throws {
        var isStopped = false
        var nextSecond = ContinuousClock.now
        defer { try? save(importer.ledger, since: start) }
        while !importer.isDone, !(isStopped && importer.ledger.isEmpty) {
            try importer.turn(readsOn: !isStopped, stop: [stop.source])
            if !stop.takeAll().isEmpty { isStopped = true }
            guard .now >= nextSecond else { continue }
            nextSecond = .now + .milliseconds(bar.isShown ? 100 : 1000)
            let answered = importer.ledger.answered
            try save(importer.ledger, since: start)
            if let size {
                bar.show(answered.offset, of: size, "\(answered.lines) lines", since: start.place.offset)
            } else {
                bar.show("\(answered.lines) lines")
            }
        }
    }

    private func save(_ ledger: ImportLedger, since start: ImportBookmark.Memory) throws {
        var memory = start
        memory.place = ledger.answered
        memory.refused += ledger.refused
        try bookmark?.save(memory, in: file)
    }

    private func tell(_ ledger: ImportLedger, isDone: Bool) throws {
        let counts = ledger.counts
        var words = ["imported \(counts.accepted) events", "\(counts.duplicate) were there before"]
        if counts.superseded > 0 { words.append("\(counts.superseded) were older than what is there") }
        if counts.invalid > 0 { words.append("\(counts.invalid) were not kept") }
        print((isAlone ? "" : "\(path): ") + words.joined(separator: "; "))
        guard isDone else {
            let next = bookmark == nil ? "what is sent again is known again" : "the same command goes on from there"
            throw Failure(.failed, "interrupted after line \(ledger.answered.lines) of \(path); \(next)")
        }
    }
}
