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
    try cache.store([5, 1, 4, 2, 3].map { row(try event($0), height: Int32($0)) })
    try cache.store([row(try event(9, conversation: "other"))])
    let reader = try LayoutReader(in: folder)

    var query = Query(conversation: try ConversationID("c"), target: wide, limit: 3)
    let first = try reader.page(query)
    #expect(first.rows.map(\.position.order) == [1, 2, 3])
    #expect(first.rows.map(\.model) == [2, 4, 6].map { model($0).encoded() })
    #expect(first.next?.order == 3)
    query.after = first.next
    let second = try reader.page(query)
    #expect(second.rows.map(\.position.order) == [4, 5])
    #expect(second.next == nil)
}

@Test func `messages of equal order stand in the order of their bytes`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let names = ["b", "\u{E9}", "a", "e\u{301}", "Z"]
    try LayoutCache(in: folder).store(
        names.map {
            row(
                try Event(
                    conversation: ConversationID("c"), message: MessageID($0), order: 1, sender: SenderID("s"),
                    time: Timestamp(milliseconds: 0), body: ""))
        })
    var query = Query(conversation: try ConversationID("c"), target: narrow, limit: 1)
    let reader = try LayoutReader(in: folder)
    var read: [MessageID] = []
    repeat {
        let page = try reader.page(query)
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
    for revision in revisions { try cache.store([row(try event(1, revision: revision), height: Int32(revision))]) }
    let page = try LayoutReader(in: folder).page(Query(conversation: try ConversationID("c"), target: narrow))
    #expect(page.rows.map(\.model) == [model(2).encoded()])
    #expect(page.rows.map(\.revision) == [2])
}

@Test func `a target that was not prepared is absent, and its pages end all the same`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    try LayoutCache(in: folder).store((0..<5).map { row(try event($0)) })
    var target = wide
    target.width.raw += 1
    var query = Query(conversation: try ConversationID("c"), target: target, limit: 2)
    let reader = try LayoutReader(in: folder)
    var pages = 0
    repeat {
        let page = try reader.page(query)
        #expect(page.rows.isEmpty)
        query.after = page.next
        pages += 1
    } while query.after != nil && pages < 10
    #expect(pages == 3)
}

@Test func `two writers and a reader share one file`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let first = try LayoutCache(in: folder)
    let second = try LayoutCache(in: folder)
    let reader = try LayoutReader(in: folder)
    let query = Query(conversation: try ConversationID("c"), target: narrow, limit: 256)
    for number in stride(from: Int64(0), to: 100, by: 2) {
        try first.store([row(try event(number))])
        try second.store([row(try event(number + 1))])
        #expect(try reader.page(query).rows.count == Int(number) + 2)
    }
}

@Test func `a cache that nobody has written is absent, not broken`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    #expect(throws: StorageError.absent(path: folder.file("cache.db"))) { _ = try LayoutReader(in: folder) }
}
