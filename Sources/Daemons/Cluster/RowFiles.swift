import Names
import Pool
import Storage
import Wire

/// Files of rows, opened when one is asked for.
struct RowFiles: ~Copyable {
    private let folder: DataFolder
    /// Number of the file that has each shard of the journal.
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
