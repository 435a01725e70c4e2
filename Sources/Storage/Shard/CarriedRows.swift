import Bytes
import Names
package import Pool
package import Wire

/// Rows of messages whose content is no longer kept. The layouts that were once made of it are all
/// that is left, so such a row goes from file to file as it is.
///
/// They are looked for in the edition that is served, and in the one that fills it where it is not
/// whole: every edition has had all that was ever said of a message before its content went, or is
/// still to be given what another has. Then they are looked for in files of the shard that were put
/// aside, where a row counts only if nothing came to its message since. A file of another era has
/// nothing that counts: there the same numbers may have been given to something else.
package final class CarriedRows {
    private let folder: DataFolder
    private let edition: EditionID
    private var asides: [Shard: [Tables]] = [:]
    private var shown: [ShardOfEdition: Tables] = [:]
    /// The number of messages that were asked for and are nowhere.
    private var lost = 0

    private final class Tables {
        let tables: ReadTables

        init(_ place: ShardPlace) throws(StorageError) { tables = try ReadTables.open(place, cache: 1 << 20) }
    }

    package init(of edition: EditionID, in folder: DataFolder) { (self.edition, self.folder) = (edition, folder) }

    /// - Parameters:
    ///   - file: the file that the row is for, in this edition.
    ///   - shard: the message's shard in the journal.
    ///   - editions: other editions whose rows readers are shown.
    package func row(
        of job: LayoutJob, for file: Shard, shard: Shard, shown editions: [EditionID]
    ) throws(Objection) -> ShardRow? {
        for edition in editions {
            if let found = try find(job, in: ShardOfEdition(edition: edition, shard: shard)) { return found }
        }
        for tables in try openAsides(of: file) {
            if let found = Self.row(of: job, in: tables, isNewest: true) { return found }
        }
        lost += 1
        return nil
    }

    /// Closes all files at the end of a batch, as files go and come back as others.
    /// - Returns: the number of messages that were asked for in the batch, and are nowhere.
    package func close() -> Int {
        defer { (asides, shown, lost) = ([:], [:], 0) }
        return lost
    }

    /// The row in another edition. One that cannot be read now is given up with its reason, and may
    /// be tried again: it may be there.
    private func find(
        _ job: LayoutJob, in place: ShardOfEdition
    ) throws(Objection) -> ShardRow? {
        do throws(StorageError) {
            if shown[place] == nil {
                shown[place] = try Tables(ShardPlace(with: place.shard, of: place.edition, in: folder))
            }
        } catch .absent {
            return nil
        } catch {
            throw Objection(
                "its content is no longer kept, and its row in the edition that is served cannot be read: \(error)")
        }
        return shown[place].flatMap { Self.row(of: job, in: $0, isNewest: false) }
    }

    private func openAsides(of shard: Shard) throws(Objection) -> [Tables] {
        if let known = asides[shard] { return known }
        var found: [Tables] = []
        do throws(StorageError) {
            let era = try FolderManifest.read(in: folder)?.era ?? 0
            for place in try ShardPlace(shard, of: edition, in: folder).putAsides() {
                // A file that cannot be opened has nothing that could be taken over, unless it can be later.
                do throws(StorageError) {
                    let tables = try Tables(place)
                    if try tables.tables.era() == era { found.append(tables) }
                } catch {
                    if error.isPassing { throw error }
                }
            }
        } catch {
            if error.isPassing {
                throw Objection("its content is no longer kept, and files put aside cannot be read now: \(error)")
            }
        }
        asides[shard] = found
        return found
    }

    private static func row(of job: LayoutJob, in open: Tables, isNewest: Bool) -> ShardRow? {
        do throws(StorageError) {
            open.tables.row.bind(job.message.number, at: 1)
            let found = try open.tables.row.first { row -> ShardRow? in
                let number = JobNumber(UInt64(bitPattern: row.integer(1)))
                guard !isNewest || number == job.number else { return nil }
                do throws(ByteError) {
                    let head = try RowHead(row.blob(2), job.message, number)
                    guard head.message == job.messageID else { return nil }
                    return try ShardRow(row, head, open.tables.roles)
                } catch {
                    return nil
                }
            }
            return found ?? nil
        } catch {
            return nil
        }
    }
}
