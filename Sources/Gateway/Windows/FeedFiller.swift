import Conversation
import MessageLayout
import Names
import Pool
import Record
import Rows
import Storage
import Wire

/// One shard of the edition that is laid out next, for rows that the served edition lacks: messages that are accepted
/// while nobody can lay out the served one have rows there and nowhere else.
///
/// A row that the served edition has is shown from there, whatever stands here.
final class FeedFiller {
    let edition: EditionID
    /// The workshop of the edition, for screens that nobody foresaw.
    let workshop: TimelineWorkshop
    private let shard: Shard
    private let folder: DataFolder
    private var reader: Reader?
    /// The place up to which its changes were read; nil while nothing was ever stored in it.
    private(set) var cursor: Cursor?

    /// A file that is there, and may be read.
    private final class Reader {
        var shard: ShardReader
        init(_ shard: consuming ShardReader) { self.shard = shard }
    }

    init(_ shard: Shard, of edition: EditionID, in folder: DataFolder, _ workshop: TimelineWorkshop)
        throws(StorageError)
    {
        (self.shard, self.edition, self.folder, self.workshop) = (shard, edition, folder, workshop)
        cursor = try present()
    }

    /// Opens the file; nil while nothing was stored.
    private func open() throws(StorageError) -> Reader? {
        if let reader { return reader }
        do throws(StorageError) {
            let opened = Reader(try ShardReader(shard, of: edition, in: folder))
            reader = opened
            return opened
        } catch .absent {
            return nil
        }
    }

    /// The place of a reader that has read everything; nil while there is nothing.
    func present() throws(StorageError) -> Cursor? { try open()?.shard.cursor() }

    /// Goes on from this moment.
    func begin() throws(StorageError) { cursor = try present() }

    /// The file that there is, and whether it has a row of the message; nil while nothing was stored.
    func file(with message: MessageNumber) throws(StorageError) -> (origin: ShardOrigin, hasRow: Bool)? {
        try open()?.shard.file(with: message)
    }

    /// The rows that are there, to be dressed as their own edition says.
    func rows(
        _ numbers: [MessageNumber], for targets: Set<Target>, withTexts wantsTexts: Bool
    ) throws(StorageError) -> [ReadRow] {
        guard !numbers.isEmpty, let reader = try open() else { return [] }
        return try reader.shard.rows(numbers, for: targets, withTexts: wantsTexts).map { row in
            var row = row
            row.filler = edition
            row.role.template = DecorationStyle.fillerName(of: row.role.template)
            return row
        }
    }

    /// The drawings of rows; nil for one that is not there.
    func drawings(
        _ numbers: [MessageNumber], for target: Target, _ memory: inout DrawingMemory
    ) throws(StorageError) -> [StoredDrawing?] {
        guard !numbers.isEmpty, let reader = try open() else { return numbers.map { _ in nil } }
        return try reader.shard.drawings(numbers, for: target, &memory).map { drawing in
            var drawing = drawing
            drawing?.filler = edition
            return drawing
        }
    }

    func next(_ walk: inout ConversationWalk) throws(StorageError) -> [RowBlock] {
        guard let reader = try open() else { return [] }
        return try reader.shard.next(&walk, &workshop.sealer)
    }

    func number(of message: MessageID, in conversation: ConversationID) throws(StorageError) -> MessageNumber? {
        try open()?.shard.rows([message], of: conversation).first?.number
    }

    /// The changes since the last call; nil where they are not known.
    func changes(of isMeant: (ConversationID) -> Bool) throws(StorageError) -> [ShardChangeNote]? {
        guard let reader = try open() else { return [] }
        guard let (notes, reached) = try Self.changes(in: reader, since: cursor, of: isMeant) else {
            cursor = try reader.shard.cursor()
            return nil
        }
        cursor = reached
        return notes
    }

    /// The changes in one conversation since a moment; nil where they are not known.
    func changes(
        of conversation: ConversationID, since cursor: Cursor?
    ) throws(StorageError) -> (notes: [ShardChangeNote], reached: Cursor?)? {
        guard let reader = try open() else { return ([], nil) }
        return try Self.changes(in: reader, since: cursor) { $0 == conversation }
    }

    private static func changes(
        in reader: Reader, since cursor: Cursor?, of isMeant: (ConversationID) -> Bool
    ) throws(StorageError) -> (notes: [ShardChangeNote], reached: Cursor)? {
        // Where there was nothing, all is new.
        var reached = try reader.shard.cursor()
        if let cursor { reached = cursor } else { reached.stamp = .zero }
        var notes: [ShardChangeNote] = []
        while true {
            guard case .notes(let new, let next, let isMore) = try reader.shard.changes(since: reached) else {
                return nil
            }
            notes += new.filter { isMeant($0.conversation) }
            reached = next
            if !isMore { return (notes, reached) }
        }
    }
}

extension ShardFeed {
    /// The layouter of drafts: that of the next edition where nobody can lay out the one that is shown.
    var draftSource: (edition: EditionID, open: DraftLayouter.Open)? {
        workshop.draftSource ?? filler?.workshop.draftSource
    }

    /// The changes of rows as they are shown, when either edition has changed: those of the served one where it has a
    /// row, else of the other.
    func settled(
        _ own: [ShardChangeNote], _ others: [ShardChangeNote]
    ) throws(StorageError) -> [ShardChangeNote] {
        guard filler != nil, !(own.isEmpty && others.isEmpty) else { return own }
        var last: [MessageNumber: (own: ShardChangeNote?, other: ShardChangeNote?)] = [:]
        var order: [MessageNumber] = []
        for (note, isOwn) in own.map({ ($0, true) }) + others.map({ ($0, false) }) {
            if last[note.number] == nil { order.append(note.number) }
            if isOwn {
                last[note.number, default: (nil, nil)].own = note
            } else {
                last[note.number, default: (nil, nil)].other = note
            }
        }
        let fillers = Dictionary(
            try rows(order, for: []).map { ($0.number, $0.filler != nil) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { number in
            guard let known = last[number], var note = known.own ?? known.other else { return nil }
            switch fillers[number] {
            case nil: note.kind = .removed
            case false?:
                // A change of the other edition to a row that this one has is not seen.
                guard known.own != nil else { return nil }
            case true?: note.kind = known.own == nil && known.other?.kind == .touched ? .touched : .laidOut
            }
            return note
        }
    }
}

extension Cursor {
    /// The place in both files: it goes on whenever one of them does.
    func joined(with other: Cursor?) -> Cursor {
        guard let other else { return self }
        return Cursor(
            generation: Generation(generation.number &+ other.generation.number),
            stamp: Stamp(stamp.number &+ other.stamp.number))
    }
}
