import MessageLayout
import Storage
import TestSupport
import Testing
import Typography
import Wire

@Test func `a page holds the asked target of each message, in order, and tells where to go on`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let cache = try LayoutCache(in: folder)
    try cache.store([5, 1, 4, 2, 3].map { try row(event($0), height: Int32($0)) })
    try cache.store([try row(event(9, conversation: "other"))])
    let reader = try LayoutReader(in: folder)

    var query = Query(conversation: try ConversationID("c"), target: wide, limit: 3)
    let first = try #require(try reader.page(query))
    #expect(first.rows.map(\.position.order) == [1, 2, 3])
    #expect(try first.rows.heights == [2, 4, 6])
    #expect(first.next?.order == 3)
    query.after = first.next
    let second = try #require(try reader.page(query))
    #expect(second.rows.map(\.position.order) == [4, 5])
    #expect(second.next == nil)
    query = Query(conversation: query.conversation, target: narrow, variant: 1)
    #expect(try reader.rows(query).heights == [2, 3, 4, 5, 6])
}

@Test func `messages of equal order stand in the order of their bytes`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let names = ["b", "\u{E9}", "a", "e\u{301}", "Z"]
    try LayoutCache(in: folder).store(
        names.map {
            try row(
                Event(
                    conversation: ConversationID("c"), message: MessageID($0), order: 1, sender: SenderID("s"),
                    time: Timestamp(milliseconds: 0), body: []))
        })
    var query = Query(conversation: try ConversationID("c"), target: narrow, limit: 1)
    let reader = try LayoutReader(in: folder)
    var read: [MessageID] = []
    repeat {
        let page = try #require(try reader.page(query))
        read += page.rows.map(\.position.message)
        query.after = page.next
    } while query.after != nil
    #expect(read == (try names.map { try MessageID($0) }.sorted()))
}

@Test(arguments: [[1, 2], [2, 1], [2, 2]] as [[UInt32]])
func `the newest revision stays, whatever the order of arrival`(revisions: [UInt32]) throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let cache = try LayoutCache(in: folder)
    for revision in revisions { try cache.store([try row(event(1, revision: revision), height: Int32(revision))]) }
    let rows = try LayoutReader(in: folder).rows(Query(conversation: try ConversationID("c"), target: narrow))
    #expect(try rows.heights == [2])
    #expect(rows.map(\.revision) == [2])
}

@Test func `a page that is not laid out for the target or the variant is none`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    try LayoutCache(in: folder).store((0..<5).map { try row(event($0)) })
    var other = wide
    other.width.raw += 1
    let conversation = try ConversationID("c")
    let reader = try LayoutReader(in: folder)
    #expect(try reader.page(Query(conversation: conversation, target: other, limit: 2)) == nil)
    #expect(try reader.page(Query(conversation: conversation, target: wide, variant: 2, limit: 2)) == nil)
    #expect(try reader.page(Query(conversation: try ConversationID("d"), target: other)) == Page(rows: [], next: nil))
}

@Test func `a record that is damaged is told with its file`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    try LayoutCache(in: folder).store([LayoutCache.Row(event: event(1), record: [99])])
    let query = Query(conversation: try ConversationID("c"), target: wide)
    let reader = try LayoutReader(in: folder)
    #expect(throws: StorageError.damaged(path: folder.file("cache.db"), .unknownVersion(99))) {
        _ = try reader.page(query)
    }
}

@Test func `two writers and a reader share one file`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let first = try LayoutCache(in: folder)
    let second = try LayoutCache(in: folder)
    let reader = try LayoutReader(in: folder)
    let query = Query(conversation: try ConversationID("c"), target: narrow, limit: 256)
    for number in stride(from: Int64(0), to: 100, by: 2) {
        try first.store([try row(event(number))])
        try second.store([try row(event(number + 1))])
        #expect(try reader.rows(query).count == Int(number) + 2)
    }
}

@Test func `a cache that nobody has written is absent, not broken`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    #expect(throws: StorageError.absent(path: folder.file("cache.db"))) { _ = try LayoutReader(in: folder) }
}
