import Foundation
import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

/// Compares all of a journal that an older build wrote with the events that were sent to that build.
private func compare(_ journal: inout SQLiteJournal, with contents: GoldenContents, isForgetful: Bool) throws {
    var forgotten = 0
    for message in contents.messages {
        let key = MessageKey(try ConversationID(message.conversation), try MessageID(message.message))
        guard case .message(let card)? = try journal.card(key) else {
            Issue.record("\(message.conversation)/\(message.message) has no card")
            continue
        }
        #expect(card.deletion?.number == message.deleted)
        #expect(card.order?.value == message.order?.value && card.order?.revision.number == message.order?.revision)
        #expect(card.status?.revision.number == message.status?.revision)
        #expect(try card.status.map { try GoldenJSON($0.value) } == message.status?.value)
        #expect(card.reactions?.revision.number == message.reactions?.revision)
        #expect(try card.reactions.map { try GoldenJSON($0.value) } == message.reactions?.value)
        #expect(card.body?.revision.number == message.body?.revision)
        guard let expected = message.body, let place = card.body?.value.at else { continue }
        let kept = try journal.body(at: place)
        if kept == nil, isForgetful {
            forgotten += 1
            continue
        }
        let body = try #require(kept, "\(message.message) has lost its body")
        #expect(try GoldenJSON(body.content) == expected.value.content)
        #expect(body.sender.text == expected.value.sender && body.time.milliseconds == expected.value.time)
    }
    #expect(journal.forgotten.reduce(0, +) == forgotten && isForgetful == (forgotten > 0))
    for alias in contents.aliases {
        let key = MessageKey(try ConversationID(alias.conversation), try MessageID(alias.message))
        guard case .alias(let other, _)? = try journal.card(key) else {
            Issue.record("\(alias.message) is no other name of \(alias.of)")
            continue
        }
        #expect(other.text == alias.of)
    }
    #expect(try Set(journal.shelved(after: nil, limit: 100).map(\.key.message.text)) == Set(contents.shelf))
    for (conversation, title) in contents.titles ?? [:] {
        #expect(try journal.conversation(try ConversationID(conversation))?.shownTitle == title)
    }
    for (conversation, reading) in contents.readings ?? [:] {
        let key = ReadingKey(try ConversationID(conversation), try SenderID(reading.reader))
        #expect(try journal.readPlace(key) == reading.order)
    }
    let standing = try journal.standing()
    #expect(standing.added.map(\.target.text) == contents.added)
    #expect(standing.service != nil)
}

@Test(arguments: GoldenFolder.all)
func `a folder of an older build opens with everything that was said to it`(golden: GoldenFolder) throws {
    let copy = try golden.unpack()
    let folder = DataFolder(copy.path)
    let contents = try golden.contents
    #expect(try StorageCheck.files(in: folder).flatMap(\.problems) == [])
    let era = try #require(try FolderManifest.read(in: folder)).era
    // Once as it was left, and once as this build leaves it.
    for round in 0..<2 {
        var journal = try SQLiteJournal(in: folder, settings: JournalSettings(boot: "a later start of the machine"))
        try compare(&journal, with: contents, isForgetful: golden.isForgetful)
        // Only a service that syncs nothing may have lost something with the machine that it ran on.
        let mayHaveLost = golden.isKilled && !golden.isDurable
        #expect(journal.news.count == (round == 0 && mayHaveLost ? 1 : 0))
        #expect((journal.era == era) == !mayHaveLost)
        #expect(journal.term == UInt64(2 + round) && journal.shardCount == 2)
        while try journal.maintain(steps: 4096, idle: true) {}
        try compare(&journal, with: contents, isForgetful: golden.isForgetful)
        try journal.close()
    }
    #expect(try FolderFormats.read(in: folder) == .previous())
    let left = try FileManager.default.contentsOfDirectory(atPath: copy.path)
    #expect(!left.contains { $0.contains(".before-") })
    if golden.isDurable || !golden.isKilled {
        #expect(try StorageCheck.files(in: folder).flatMap(\.problems) == [])
    }
}

@Test func `there are folders of both durabilities, closed and killed`() {
    let kinds = GoldenFolder.all.map { [$0.isDurable, $0.isKilled] }
    #expect(Set(kinds).count == 4)
}
