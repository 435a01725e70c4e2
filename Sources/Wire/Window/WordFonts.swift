import Bytes

/// The font files that the rows of one word name, each once. Rows refer to them by place, as most need the same few.
///
/// ```text
///  count u32 │ hash, 32 bytes each │ for each row that names files, in order: count u16, and so many places u16
/// ```
///
/// The table stands behind a word in which a row names its files; no row does unless the client asked for it.
struct WordFonts {
    let files: [FontHash]
    private let places: [FontHash: UInt16]

    /// The table of a word; nil where no row names its files.
    init?(of word: GatewayWord) {
        var (files, places): ([FontHash], [FontHash: UInt16]) = ([], [:])
        var isSaid = false
        word.forEachBody { body in
            guard let fonts = body.fonts else { return }
            isSaid = true
            for file in fonts where places[file] == nil && files.count < Limits.fontFiles {
                places[file] = UInt16(files.count)
                files.append(file)
            }
        }
        guard isSaid else { return nil }
        (self.files, self.places) = (files, places)
    }

    func places(of fonts: [FontHash]) -> [UInt16] { fonts.compactMap { places[$0] } }

    func write(_ word: GatewayWord, to writer: inout ByteWriter) {
        writer.count(files.count)
        for file in files { writer.append(file.bytes) }
        word.forEachBody { body in
            guard let fonts = body.fonts else { return }
            let places = places(of: fonts)
            writer.integer(UInt16(places.count))
            for place in places { writer.integer(place) }
        }
    }

    /// Reads the table, and sets the files of the rows of a word.
    static func read(into word: inout GatewayWord, from reader: inout ByteReader) throws(ByteError) {
        guard WordFonts(of: word) != nil else { return }
        var files: [FontHash] = []
        for _ in 0..<(try reader.count(0...Limits.fontFiles, of: "fonts")) {
            files.append(FontHash(bytes: Array(try reader.bytes(FontHash.count))))
        }
        try word.changeEachBody { (body) throws(ByteError) in
            guard body.fonts != nil else { return }
            var fonts: [FontHash] = []
            for _ in 0..<(try reader.integer(in: 0...UInt16(Limits.fontFiles), of: "fonts")) {
                let place = Int(try reader.integer(UInt16.self))
                guard files.indices.contains(place) else {
                    throw .outOfBounds(Int64(place), 0...Int64(max(0, files.count - 1)), of: "fonts")
                }
                fonts.append(files[place])
            }
            body.fonts = fonts
        }
        // A word has only one form in bytes: each file is there because a row names it, and in the order in which
        // rows do.
        guard WordFonts(of: word)?.files == files else { throw .trailing(count: 4 + FontHash.count * files.count) }
    }
}

// Bodies of rows, wherever they stand in a word.
extension GatewayWord {
    /// Visits the bodies in the order in which the word has them.
    func forEachBody(_ look: (WindowRow.Body) -> Void) {
        func all(_ rows: [WindowRow]) { for row in rows { row.body.map(look) } }
        switch self {
        case .window(let reply): all(reply.rows)
        case .rows(_, let rows): all(rows)
        case .place(let reply): all([reply.row])
        case .changes(let set), .adjusted(_, let set?): for change in set.changes { all(change.kind.rows) }
        case .preview(_, let reply): all([reply.row] + reply.neighbours)
        case .adjusted(_, nil), .heights, .done, .refused, .pending, .unavailable, .rejected, .ranges, .unreadable:
            break
        }
    }

    fileprivate mutating func changeEachBody(
        _ change: (inout WindowRow.Body) throws(ByteError) -> Void
    ) throws(ByteError) {
        switch self {
        case .window(var reply):
            try reply.rows.changeBodies(change)
            self = .window(reply)
        case .rows(let window, var rows):
            try rows.changeBodies(change)
            self = .rows(window, rows)
        case .place(var reply):
            try reply.row.changeBody(change)
            self = .place(reply)
        case .changes(var set):
            try set.changeBodies(change)
            self = .changes(set)
        case .adjusted(let window, var set?):
            try set.changeBodies(change)
            self = .adjusted(window, set)
        case .preview(let window, var reply):
            try reply.row.changeBody(change)
            try reply.neighbours.changeBodies(change)
            self = .preview(window, reply)
        case .adjusted(_, nil), .heights, .done, .refused, .pending, .unavailable, .rejected, .ranges, .unreadable:
            break
        }
    }
}

extension WindowRow {
    fileprivate mutating func changeBody(
        _ change: (inout WindowRow.Body) throws(ByteError) -> Void
    ) throws(ByteError) {
        guard var own = body else { return }
        try change(&own)
        body = own
    }
}

extension [WindowRow] {
    fileprivate mutating func changeBodies(
        _ change: (inout WindowRow.Body) throws(ByteError) -> Void
    ) throws(ByteError) {
        for place in indices { try self[place].changeBody(change) }
    }
}

extension ChangeSet {
    fileprivate mutating func changeBodies(
        _ change: (inout WindowRow.Body) throws(ByteError) -> Void
    ) throws(ByteError) {
        for place in changes.indices {
            var rows = changes[place].kind.rows
            try rows.changeBodies(change)
            changes[place].kind = changes[place].kind.with(rows)
        }
    }
}

extension WindowChange.Kind {
    /// The same change with as many other rows.
    package func with(_ rows: [WindowRow]) -> WindowChange.Kind {
        switch self {
        case .insert(let at, _): .insert(at: at, rows)
        case .remove: self
        case .replace(let at, _): .replace(at: at, rows[0])
        case .move(let from, let to, _): .move(from: from, to: to, rows[0])
        case .redecorate(let at, _): .redecorate(at: at, rows[0])
        }
    }
}
