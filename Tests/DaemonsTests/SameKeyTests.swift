import FormeLayout
import Foundation
import MessageLayout
import Names
import Pool
import Shaping
import Storage
import TestSupport
import Testing
import Transport
import Wire

@testable import Daemons

@Test func `what changes nothing of a message's layout has it found under its key, and not made again`() throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteJournal(in: DataFolder(folder.path), settings: JournalSettings(shards: 1))
    let reports = try Mailbox<LayoutLane.Report>()
    let path = Project.file("config/fonts.json5").path
    let families = try FontConfiguration.families(Array(Data(contentsOf: URL(filePath: path))), from: path)
    var lane = try BatchLane(
        folder: DataFolder(folder.path), style: StyleFiles.open(Project.file("config/styles/bubble.json5").path),
        fonts: FontCatalog().open(Array(families.prefix(1))), reports: reports)
    var batches: UInt64 = 0
    func layOut(_ text: String, status: String?) throws -> LayoutFigures {
        let state = MessageState(
            order: 1,
            body: MessageBody(
                sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), content: MessageEvent.plainText(text)),
            status: status.map { Array("\"\($0)\"".utf8) }, revision: Revision(1))
        batches += 1
        let job = LayoutJob(
            number: JobNumber(batches), message: MessageNumber(1), conversation: try ConversationID("c"),
            messageID: try MessageID("m1"), work: .layOut(state))
        lane.run(
            .work(
                Batch(
                    id: BatchID(term: 1, number: batches), shard: Shard(0), epoch: LeaseEpoch(1), place: batches,
                    jobs: [job])))
        for case .done(let report, _, let figures) in reports.takeAll() where report.isCommitted { return figures }
        throw CancellationError()
    }
    #expect(try layOut("See you at nine", status: nil).kinds.map(\.messages) == [1])
    for status in ["sent", "delivered", "read"] {
        let figures = try layOut("See you at nine", status: status)
        #expect(figures.kinds.isEmpty && figures[.rows] == CacheTally(hits: 1))
    }
    let edited = try layOut("See you at ten", status: "read")
    #expect(edited.kinds.map(\.messages) == [1] && edited[.rows] == CacheTally(misses: 1))
}
