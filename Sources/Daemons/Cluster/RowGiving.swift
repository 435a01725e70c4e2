import Foundation
import Names
import Operations
import Pool
import Storage
import Transport
import Wire

private let log = Log("cluster")

/// Gives other hosts rows of this one's files, on a thread beside the loop.
struct RowGiving: ~Copyable {
    private enum Request: Sendable {
        case question(RowQuestion, route: [UInt8])
        case end
    }

    private let requests: Mailbox<Request>
    private let answers: Mailbox<RowDesk.Answer>

    /// Between two looks for rows that are not there yet.
    private static let pause = Duration.milliseconds(10)
    /// Files are closed when nobody has asked for so long.
    private static let rest = Duration.seconds(10)

    init(from folder: DataFolder) throws {
        let (requests, answers) = (try Mailbox<Request>(), try Mailbox<RowDesk.Answer>())
        (self.requests, self.answers) = (requests, answers)
        Thread.detachNewThread {
            do { try Self.run(folder, requests, answers) } catch {
                // Hosts that ask lay out by themselves.
                log.error("gives no rows to other hosts any more", ["reason": "\(error)"])
            }
        }
    }

    deinit { requests.post(.end) }

    var source: Source { answers.source }

    func ask(_ question: RowQuestion, on route: [UInt8]) { requests.post(.question(question, route: route)) }

    func takeAnswers() -> [RowDesk.Answer] { answers.takeAll() }

    private static func run(
        _ folder: DataFolder, _ requests: Mailbox<Request>, _ answers: Mailbox<RowDesk.Answer>
    ) throws {
        let clock = LoopClock()
        var desk = RowDesk()
        var files = RowFiles(in: folder)
        while true {
            let awake = try wait(for: [requests.source], atMost: desk.isIdle ? rest : pause)
            if desk.isIdle, awake == [false] { files.close() }
            for request in requests.takeAll() {
                guard case .question(let question, let route) = request else { return }
                desk.take(question, on: route, at: clock.now)
            }
            for answer in desk.takeAnswers(at: clock.now, rows: { jobs, edition in files.rows(of: jobs, in: edition) })
            {
                answers.post(answer)
            }
        }
    }
}

/// Files of rows, opened when one is asked for.
struct RowFiles: ~Copyable {
    private let folder: DataFolder
    /// Of each shard of the journal, the number of the file that has it.
    private var files: [ShardOfEdition: Shard] = [:]
    /// By the number of the file.
    private var readers: [ShardOfEdition: Reader] = [:]
    /// The edition that was asked for last: files of others are closed, as they may be gone from the disk.
    private var edition: EditionID?
    private var wrong = WrongRows()

    /// A file, to be found under its number.
    private final class Reader {
        var shard: ShardReader
        init(_ shard: consuming ShardReader) { self.shard = shard }
    }

    init(in folder: DataFolder) { self.folder = folder }

    mutating func close() { (files, readers) = ([:], [:]) }

    /// Rows as jobs left them. Those of a file that cannot be read are not there.
    mutating func rows(of jobs: [RowQuestion.Job], in edition: EditionID) -> [RowDesk.Finding] {
        if edition != self.edition { close() }
        self.edition = edition
        var findings = [RowDesk.Finding](repeating: .awaited, count: jobs.count)
        let byFile = Dictionary(grouping: jobs.indices) { file(of: jobs[$0].shard, in: edition) }
        for (file, places) in byFile {
            guard let file else { continue }
            for (place, row) in zip(places, read(places.map { jobs[$0] }, in: file, of: edition)) {
                switch row {
                case .row(let row): findings[place] = .made(made(row, at: jobs[place].place))
                case .passed: findings[place] = .never
                case nil: break
                }
            }
        }
        return findings
    }

    private mutating func file(of shard: Shard, in edition: EditionID) -> Shard? {
        let key = ShardOfEdition(edition: edition, shard: shard)
        do throws(StorageError) {
            if files[key] == nil { files[key] = try ShardPlace(with: shard, of: edition, in: folder).shard }
            return files[key]
        } catch {
            return nil
        }
    }

    private mutating func read(
        _ jobs: [RowQuestion.Job], in file: Shard, of edition: EditionID
    ) -> [ShardReader.RowOfJob?] {
        let key = ShardOfEdition(edition: edition, shard: file)
        do throws(StorageError) {
            if readers[key] == nil {
                readers[key] = Reader(try ShardReader(jobs[0].shard, of: edition, in: folder, cache: 1 << 18))
            }
            return try readers[key]!.shard.rows(of: jobs.map { ($0.message, $0.number) })
        } catch {
            readers[key] = nil
            return []
        }
    }

    private mutating func made(_ row: ShardRow, at place: UInt16) -> MadeRow {
        var made = MadeRow(
            place: place, template: row.role.template, joinsSeries: row.role.joinsSeries, key: row.key,
            layout: row.layout, measured: row.measured)
        wrong.mar(&made)
        return made
    }
}
