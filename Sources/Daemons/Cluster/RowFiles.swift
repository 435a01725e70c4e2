import Names
import Pool
import Storage
import Wire

/// Files of rows, opened when a row of them is asked for.
struct RowFiles: ~Copyable {
    private let folder: DataFolder
    /// The number of the file that has each shard of the journal.
    private var files: [ShardOfEdition: Shard] = [:]
    /// The readers of files, by their numbers.
    private var readers: [ShardOfEdition: Reader] = [:]
    /// Files that could not be read, and the time until which they are not tried again.
    private var resting: [ShardOfEdition: Moment] = [:]
    /// The edition that was asked for last: files of others are closed, as they may be gone from the disk.
    private var edition: EditionID?
    /// The jobs that were done at the last report: it comes before files are read, so that rows of these are there or
    /// nowhere.
    var progress: ServedProgress?
    private var wrong = WrongRows()

    /// A file, to be found by its number.
    private final class Reader {
        var shard: ShardReader
        init(_ shard: consuming ShardReader) { self.shard = shard }
    }

    /// The time for which a file that cannot be read rests: longer than any host waits for a row.
    private static let rest = Duration.seconds(1)

    init(in folder: DataFolder) { self.folder = folder }

    mutating func close() { (files, readers, resting) = ([:], [:], [:]) }

    /// The rows that jobs left. Those of a file that cannot be read are absent.
    mutating func rows(of jobs: [RowQuestion.Job], in edition: EditionID, at now: Moment) -> [RowDesk.Finding] {
        if edition != self.edition { close() }
        self.edition = edition
        var findings = jobs.map { job in isDone(job) ? RowDesk.Finding.never : .awaited }
        let byFile = Dictionary(grouping: jobs.indices) { file(of: jobs[$0].shard, in: edition) }
        for (file, places) in byFile {
            guard let file, let rows = read(places.map { jobs[$0] }, in: file, of: edition, at: now) else {
                for place in places { findings[place] = .never }
                continue
            }
            for (place, row) in zip(places, rows) {
                switch row {
                case .row(let row): findings[place] = .made(made(row, at: jobs[place].place))
                case .passed: findings[place] = .never
                case nil: break
                }
            }
        }
        return findings
    }

    /// Whether a job is done. A message that was deleted before it was laid out, or was given up, has no row and gets
    /// none.
    private func isDone(_ job: RowQuestion.Job) -> Bool {
        progress.map { $0.edition == edition && $0.isDone(job.number, in: job.shard) } ?? false
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

    /// Nil where the file cannot be read. One that is not there yet has none of the rows.
    private mutating func read(
        _ jobs: [RowQuestion.Job], in file: Shard, of edition: EditionID, at now: Moment
    ) -> [ShardReader.RowOfJob?]? {
        let key = ShardOfEdition(edition: edition, shard: file)
        if let end = resting[key], now < end { return nil }
        do throws(StorageError) {
            if readers[key] == nil {
                readers[key] = Reader(try ShardReader(jobs[0].shard, of: edition, in: folder, cache: 1 << 18))
            }
            return try readers[key]!.shard.rows(of: jobs.map { ($0.message, $0.number) })
        } catch .absent {
            readers[key] = nil
            return []
        } catch {
            (readers[key], resting[key]) = (nil, now + Self.rest)
            return nil
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
