import CSQLite
import Glibc
import Names
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Gateway

/// Counts how often a thread begins to read a file, in connections that it opens meanwhile.
private enum Reads {
    private struct Count: Sendable {
        var thread: UInt?
        var reads = 0
    }

    private static let count = Mutex(Count())

    /// The function that SQLite calls for each connection that is opened.
    private typealias Opened =
        @convention(c) @Sendable (
            OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
        ) -> Int32

    private static let opened: Opened = { connection, _, _ in
        unsafe sqlite3_trace_v2(
            connection, UInt32(SQLITE_TRACE_STMT),
            { _, _, _, words in
                guard let words = unsafe words?.assumingMemoryBound(to: CChar.self),
                    unsafe String(cString: words).hasPrefix("BEGIN")
                else { return 0 }
                Reads.count.withLock { if $0.thread == UInt(pthread_self()) { $0.reads += 1 } }
                return 0
            }, nil)
    }

    /// The number of reads that `body` begins on the connections that `open` opens.
    static func number<Value>(with open: () throws -> Value, in body: (Value) throws -> Void) rethrows -> Int {
        let entry = unsafe unsafeBitCast(opened, to: (@convention(c) () -> Void).self)
        sqlite3_auto_extension(entry)
        defer { sqlite3_cancel_auto_extension(entry) }
        let value = try open()
        count.withLock { $0 = Count(thread: UInt(pthread_self())) }
        try body(value)
        return count.withLock { count in
            defer { count = Count() }
            return count.reads
        }
    }
}

@Test func `a page that is not at hand is one read of the file, however many rows it has`() throws {
    let stage = try WindowStage()
    try stage.fill(300)
    let client = WindowClient("r")
    let reads = try [1, 10, 50].map { rows in
        try Reads.number {
            let desk = try WindowStage.desk(in: stage.folder, WindowStage.patience)
            let opening = WindowOpening(
                window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, count: 1, screen: 900
            )
            guard case .window? = desk.answer(.open(opening), from: client, at: .now).first else {
                throw Reader.NoWindow()
            }
            return desk
        } in: { desk in
            let words = desk.answer(.page(WindowID(1), .older, count: rows), from: client, at: .now)
            guard case .window(let page)? = words.first else { throw Reader.NoWindow() }
            #expect(page.rows.count == rows && page.rows.allSatisfy { $0.body?.layout.isEmpty == false })
        }
    }
    #expect(reads == [1, 1, 1])
}
