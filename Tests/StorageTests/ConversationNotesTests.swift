import Foundation
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

private func take(_ events: [String], _ journal: inout SQLiteJournal, at time: Int64 = 1 << 50) throws {
    var keeper = Bookkeeper(shards: journal.shardCount)
    keeper.open(room: IngestRoom(live: 10_000, backfill: 100, retryAfter: 1), at: Timestamp(milliseconds: time))
    let request = try IngestRequest(parsing: Array(#"{"events":[\#(events.joined(separator: ","))]}"#.utf8))
    _ = try keeper.take(request, from: Peer(route: [1]), in: &journal)
    try journal.commit(keeper.close())
}

private func post(_ conversation: String, _ number: Int, at time: Int) -> String {
    #"{"conversation":"\#(conversation)","message":"m\#(number)","order":1,"sender":"ada","time":\#(time),"text":"hi"}"#
}

private func title(_ conversation: String, _ text: String, _ revision: Int) -> String {
    #"{"conversation":"\#(conversation)","revision":\#(revision),"title":"\#(text)"}"#
}

extension CardReader {
    /// The whole list, as a reader that begins now gets it.
    fileprivate mutating func all(pages: Int = 2) throws -> [String: Int64] {
        var all: [String: Int64] = [:]
        for (name, activity) in try takeTouched() ?? [] { all[name.text] = activity }
        var last: ConversationID?
        while true {
            let page = try conversations(after: last, limit: pages)
            for (name, activity) in page { all[name.text] = max(all[name.text] ?? .min, activity) }
            guard page.count == pages else { return all }
            last = page.last?.name
        }
    }
}

@Test(arguments: [1, 7, 1000])
func `conversations are read as they are, however much of them is merged`(length: Int) throws {
    let diary = try Diary()
    diary.settings.mergeLength = length
    var journal = try diary.open()
    for number in 0..<40 { try take([post("c\(number % 5)", number, at: 100 + number)], &journal) }
    // A post of an earlier time changes nothing.
    try take([post("c4", 99, at: 1)], &journal)
    // Two conversations are listed without a message: one has a title, the other somebody's reading place.
    try take([title("c9", "Friends", 1), #"{"conversation":"r","read":{"reader":"ada","order":7}}"#], &journal)
    var reader = try CardReader(in: diary.folder)
    let all = try reader.all()
    #expect(
        all == ["c0": 135, "c1": 136, "c2": 137, "c3": 138, "c4": 139, "c9": .min, "r": .min])
    let kept = try reader.kept(of: [try ConversationID("c9"), try ConversationID("c1")], for: nil)
    #expect(kept.map(\.card.shownTitle) == ["Friends", nil])
}

@Test func `whoever follows hears of each conversation that something is said of, or that more was merged than it saw`()
    throws
{
    let diary = try Diary()
    diary.settings.mergeLength = 10
    var journal = try diary.open()
    try take([post("a", 1, at: 1)], &journal)
    var reader = try CardReader(in: diary.folder)
    #expect(try reader.all() == ["a": 1])
    try take([post("b", 2, at: 2), title("c", "C", 1)], &journal)
    try take([#"{"conversation":"d","read":{"reader":"ada","order":7}}"#], &journal)
    let touched = try reader.takeTouched() ?? []
    #expect(Set(touched.map(\.name.text)) == ["b", "c", "d"])
    #expect(try reader.takeTouched()?.isEmpty == true)
    #expect(try reader.kept(of: [try ConversationID("d")], for: try SenderID("ada"))[0].readUpTo == 7)
    // These are more than a merge takes, and no reader looks meanwhile.
    for number in 10..<80 { try take([post("e", number, at: number)], &journal) }
    while try journal.maintain(steps: 1000, idle: true) {}
    #expect(try reader.takeTouched() == nil)
    #expect(try reader.all()["e"] == 79)
}

@Test func `a conversation that was seen before its words were merged is told with the time of them`() throws {
    let diary = try Diary()
    diary.settings.mergeLength = 1
    let lane = HeldLane(diary.temporary.path, diary.settings)
    var journal = try diary.open()
    journal.givesAway = { lane.take($0) }
    try take([post("a", 1, at: 1)], &journal)
    try lane.perform(&journal)
    var reader = try CardReader(in: diary.folder)
    _ = try reader.all()
    try take([post("b", 2, at: 7)], &journal)
    // A list is answered, and reads the log on the way. Then another thread merges it.
    _ = try reader.kept(of: [try ConversationID("b")], for: nil)
    try lane.perform(&journal)
    let touched = try #require(try reader.takeTouched())
    #expect(touched.contains { $0.name.text == "b" && $0.activity == 7 })
}

@Test func `the words of a title are in no file any more when another one takes its place`() throws {
    let diary = try Diary()
    diary.settings.mergeLength = 4
    var journal = try diary.open()
    try take([title("c", "the secret of the house", 1), post("c", 1, at: 1)], &journal)
    for number in 2..<12 { try take([post("d", number, at: 1)], &journal) }
    try take([title("c", "", 2)], &journal)
    for number in 12..<30 { try take([post("d", number, at: 1)], &journal) }
    while try journal.maintain(steps: 1000, idle: true) {}
    try journal.close()
    for (name, bytes) in try Diary.files(in: diary.temporary.path) {
        #expect(bytes.firstRange(of: Data("the secret".utf8)) == nil, "\(name)")
    }
}

@Test func `a journal from before there were lists is taken along, in the order of its newest messages`() throws {
    let diary = try Diary()
    diary.settings.mergeLength = 3
    var journal = try diary.open()
    for number in 0..<12 { try take([post("c\(number % 4)", number, at: 5)], &journal) }
    try take([post("c2", 99, at: 5)], &journal)
    while try journal.maintain(steps: 1000, idle: true) {}
    try journal.close()
    discard(journal)
    let database = try Database.open(path: diary.journal, .write)
    try database.execute("DROP TABLE conversations; DROP TABLE readings")
    _ = try database.copyLog(patience: 1000)
    var reader = try CardReader(in: diary.folder)
    #expect(
        try reader.all().isEmpty
            && reader.kept(of: [try ConversationID("c0")], for: try SenderID("ada"))[0].readUpTo == nil)
    _ = try diary.open()
    reader = try CardReader(in: diary.folder)
    #expect(try reader.all().sorted { $0.value > $1.value }.map(\.key).filter { $0 != "c2" } == ["c3", "c1", "c0"])
    #expect(try reader.all().max { $0.value < $1.value }?.key == "c2")
}

private func discard(_: consuming SQLiteJournal) {}

@Test func `what a turn noted that came to nothing is as it was before`() throws {
    var notes = ConversationNotes()
    let (a, b) = (try ConversationID("a"), try ConversationID("b"))
    let ada = try SenderID("ada")
    notes.note(activity: 5, in: a)
    notes.take(ConversationNote(a, .read(ada, upTo: 3)), at: LogPosition(1))
    let known = notes
    var before = ConversationNotes.Before()
    let said: [ConversationNote] = [
        ConversationNote(a, .card(ConversationCard(title: .init(revision: Revision(1), value: "A")))),
        ConversationNote(b, .read(ada, upTo: 9)), ConversationNote(a, .read(ada, upTo: 4)),
    ]
    for (place, note) in said.enumerated() {
        before.note(note, in: notes)
        notes.take(note, at: LogPosition(Int64(place + 2)))
    }
    before.note(b, in: notes)
    notes.note(activity: 7, in: b)
    notes.restore(before)
    #expect(notes.standings == known.standings && notes.readings == known.readings)
}
