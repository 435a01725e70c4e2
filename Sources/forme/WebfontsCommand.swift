import Console
import FormeLayout
import Gateway
import Glibc
import Operations
import Secrets
import Settings
import Shaping
import Storage
import Transport
import Webfonts

private let log = Log("webfonts")

struct WebfontsCommand: Command {
    let name = "webfonts"
    let summary = "makes fonts as small as clients fetch them, which serve does behind its start"
    let usage = """
        usage: forme webfonts [OPTIONS]

          --wait SECONDS       begins after so long (default: 0)
        \(Place.usage)
        \(FontOption.usage)
        \(Stop.usage)

        Every face of the list is compressed as WOFF2, a face of a collection by itself, and large ones in slices: so a client
        fetches what a window needs. They are kept in fonts/ of the folder, until the list names other fonts. Work that was
        stopped goes on behind the last slice. It takes some minutes of one core, only while nobody else wants it; until a face is made, clients
        are sent the whole file.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "webfonts", options: Place.options + [FontOption.name, "wait"], switches: [Stop.name])
        let place = try Place(arguments)
        try place.refuseRoot()
        let pause = try arguments.integer("wait", in: 0...3600, default: 0)
        // The process may end at any time: kept slices are whole.
        let stop: [Source] = arguments.has(Stop.name) ? [.standardInput] : []
        // The process ends when it is done, and is not started again.
        ServiceManager.current.dismissed()
        try stepBack()
        guard try !wait(for: stop, atMost: .seconds(pause)).contains(true) else { return }
        let families = try FontCatalog().identified(FontOption.families(place.configuration.fonts))
        let folder = WebfontFolder(place.folder, plan: SlicePlan.version)
        let isDone = try folder.alone {
            try WebfontMaker(folder).make(families) { try wait(for: stop, atMost: .zero).contains(true) }
        }
        if !isDone { log.info("fonts are made by another process") }
    }

    /// SCHED_IDLE, which glibc defines only for sources that ask for GNU's names.
    private static let idle: Int32 = 5

    /// Gives this process a processor only while nobody else wants one: any other process that wakes up takes its
    /// place at once, which niceness alone does not give. The process has no thread but this one.
    private func stepBack() throws {
        var rank = sched_param()
        guard unsafe sched_setscheduler(0, Self.idle, &rank) == 0,
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) == 0
        else {
            throw Failure(.inputOutput, "the priority of this process cannot be lowered")
        }
        stepBehindSessions()
    }

    /// Puts this process behind the sessions of others. Where the kernel shares processors among sessions first, the
    /// class above counts only within a session, but a session of its own can have a low share. A process that was
    /// started by hand stays in the terminal's.
    private func stepBehindSessions() {
        guard setsid() >= 0, let group = unsafe fopen("/proc/self/autogroup", "w") else { return }
        unsafe fputs("19", group)
        unsafe fclose(group)
    }
}

/// Makes the missing fonts, face by face.
private struct WebfontMaker {
    let folder: WebfontFolder

    init(_ folder: WebfontFolder) { self.folder = folder }

    func make(_ families: [FontFamily], isStopped: () throws -> Bool) throws {
        var faces: [WebfontFolder.Face] = []
        var made = 0
        for file in families.flatMap(\.faces) {
            guard let identity = file.identity else { continue }
            let face = WebfontFolder.Face(hash: "\(identity)", index: file.index)
            faces.append(face)
            guard try folder.allSlices(of: face) == nil else { continue }
            do {
                guard try make(face, of: FaceSource(path: file.path, index: file.index), isStopped) else { return }
                made += 1
            } catch let error as WebfontError {
                // The font is sent whole.
                log.warning("a font is not made smaller", ["reason": "\(error)"])
            }
        }
        try folder.removeAll(but: faces)
        if made > 0 { log.info("fonts are made", ["faces": .number(made)]) }
    }

    /// Makes the slices of a face; false when it was stopped.
    private func make(
        _ face: WebfontFolder.Face, of source: FaceSource, _ isStopped: () throws -> Bool
    ) throws -> Bool {
        let slices = SlicePlan(of: source).slices
        var (made, count) = try folder.slices(of: face)
        if count != slices.count || !made.allSatisfy(folder.has) { made = [] }
        for slice in slices.dropFirst(made.count) {
            guard try !isStopped() else { return false }
            let font = try source.webfont(of: slice)
            made.append(
                WebfontFolder.Slice(
                    hash: "\(FontIdentity(bytes: Fingerprint.of(font)))", bytes: font.count,
                    characters: CharacterRanges(slice.ranges).text))
            try folder.keep(font, made, of: slices.count, for: face)
        }
        return true
    }
}
