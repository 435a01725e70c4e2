import Bytes
import Names
import Pool
package import Wire

/// Number and digest of all rows of an edition. Two hosts with equal sums have the same rows, byte
/// for byte, however these are spread over files.
package struct RowSum: Equatable, Sendable {
    package var rows = 0
    package var digest: UInt64 = 0

    package init(rows: Int = 0, digest: UInt64 = 0) { (self.rows, self.digest) = (rows, digest) }

    /// Sums the rows of an edition; each file is read as it is when its turn comes.
    ///
    /// - Parameter isNumbered: whether messages have the same numbers in all folders that are compared: they have not
    ///   where journals have several logs.
    package init(
        of edition: EditionID, in folder: DataFolder, isNumbered: Bool = true
    ) throws(StorageError) {
        for place in try ShardPlace.all(of: edition, in: folder) {
            let tables = try ReadTables.open(place, cache: 2 << 20)
            try tables.database.beginToRead()
            try tables.database.prepare("SELECT number, job, layout, measured FROM rows").run {
                row throws(StorageError) in
                var hash = StableHash()
                for column in (isNumbered ? [0, 1] : [1]) as [Int32] {
                    hash.add(UInt64(bitPattern: row.integer(column)))
                }
                for column in [2, 3] as [Int32] { hash.add(UInt64(row.withBlob(column) { Checksum.of($0) })) }
                rows += 1
                digest &+= hash.value
            }
        }
    }
}
