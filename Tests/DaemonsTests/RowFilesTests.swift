import Foundation
import MessageLayout
import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

@testable import Daemons

private func moment(_ milliseconds: Int64) -> Moment { Moment(sinceStart: .milliseconds(milliseconds)) }

private func job(_ message: Int64, _ number: UInt64) -> RowQuestion.Job {
    RowQuestion.Job(place: 0, shard: Shard(0), message: MessageNumber(message), number: JobNumber(number))
}

/// The file of one shard, in a folder of its own.
private struct Stage {
    let temporary: TemporaryFolder
    let folder: DataFolder
    let edition: EditionID

    init() throws {
        temporary = try TemporaryFolder()
        folder = DataFolder(temporary.path)
        edition = try EditionID("aa")
    }

    var path: String { folder.file("shards/aa/00.db") }

    /// Stores a row of a message as a job leaves it.
    func store(_ message: Int64, job: UInt64) throws {
        let body = MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), content: Array("{}".utf8))
        let state = MessageState(order: 1, body: body, revision: Revision(1))
        let row = ShardRow(
            facts: state.facts, role: RowRole(template: "message", joinsSeries: true), key: [1], layout: [7],
            measured: [8])
        let change = ShardChange(
            job: JobNumber(job), message: MessageNumber(message), conversation: try ConversationID("c"),
            messageID: try MessageID("m\(message)"), row: .laidOut(row))
        let era = try SQLiteJournal(in: folder, settings: JournalSettings(shards: 1)).era
        var shard = try SQLiteShard(Shard(0), of: edition, in: folder, settings: ShardSettings(era: era))
        _ = try shard.adopt(LeaseEpoch(1))
        _ = try shard.commit([change], under: LeaseEpoch(1))
    }
}

@Test func `a file that cannot be read is left alone for a second, and nobody waits for its rows`() throws {
    let stage = try Stage()
    try FileManager.default.createDirectory(
        atPath: stage.folder.file("shards/aa"), withIntermediateDirectories: true)
    try Data(repeating: 0x2A, count: 8192).write(to: URL(filePath: stage.path))
    var files = RowFiles(in: stage.folder)
    let unreadable = files.rows(of: [job(1, 4)], in: stage.edition, at: moment(0))
    #expect(unreadable == [.never])
    // The file is not looked for again within a second.
    try FileManager.default.removeItem(atPath: stage.path)
    let resting = files.rows(of: [job(1, 4)], in: stage.edition, at: moment(999))
    let again = files.rows(of: [job(1, 4)], in: stage.edition, at: moment(1000))
    #expect(resting == [.never] && again == [.awaited])
}

@Test func `a row that is not there when its job is done will not come, and others are waited for`() throws {
    let stage = try Stage()
    try stage.store(1, job: 4)
    var files = RowFiles(in: stage.folder)
    // The second message was deleted before it was laid out, or could not be laid out; the third is still to come.
    let jobs = [job(1, 4), job(2, 5), job(3, 6)]
    func places(_ findings: [RowDesk.Finding]) -> [String] {
        findings.map { finding in
            switch finding {
            case .made(let row): "\(row.layout)"
            case .never: "never"
            case .awaited: "awaited"
            }
        }
    }
    let early = files.rows(of: jobs, in: stage.edition, at: moment(0))
    files.progress = ServedProgress(try EditionID("bb"), through: [JobNumber(9)])
    let ofOther = files.rows(of: jobs, in: stage.edition, at: moment(0))
    files.progress = ServedProgress(stage.edition, through: [JobNumber(5)])
    let late = files.rows(of: jobs, in: stage.edition, at: moment(0))
    #expect(places(early) == ["[7]", "awaited", "awaited"] && places(ofOther) == places(early))
    #expect(places(late) == ["[7]", "never", "awaited"])
}
