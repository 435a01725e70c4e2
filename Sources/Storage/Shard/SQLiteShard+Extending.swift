import Bytes
package import MessageLayout
import Pool
import Record
import Wire

/// The extension of a shard, as far as it is known.
struct ShardExtension {
    /// Targets that rows are laid out for beside those of their style.
    var targets: [Target] = []
    /// The mark in the file; nil until it is looked up.
    private(set) var mark: ExtensionMark??

    mutating func note(_ mark: ExtensionMark?) { self.mark = .some(mark) }
    mutating func forget() { mark = .none }

    /// Whether there may be rows that lack some of the targets.
    var isDue: Bool {
        guard !targets.isEmpty else { return false }
        guard case let mark?? = mark else { return true }
        return mark.targets != targets || !mark.isDone
    }
}

// Existing rows are laid out for a target that was added, from what is stored beside them, when nothing else is to
// be done. The same rows come out as if they had been laid out for it from the start, so that readers are not told.
extension SQLiteShard {
    /// A function that lays out a row once more, for its targets and those that were added, and lists its heights; nil
    /// where it has all of them, or cannot be laid out from what is stored.
    package typealias Extend = (_ layout: [UInt8], _ measured: [UInt8]) -> (layout: [UInt8], heights: [UInt8])?

    /// Has rows laid out for these targets, too, from now on. Existing rows are when `extend` is called.
    package mutating func prepare(_ targets: [Target]) { rows.sealing.extended.targets = targets }

    /// Whether `extend` has something to look at.
    package var isToExtend: Bool { adopted != nil && rows.sealing.extended.isDue }

    /// Extends some tens of rows, and seals their block anew when all of its rows are done: to be
    /// called when there is time, and now and then where there never is.
    ///
    /// - Returns: whether there may be more to do now.
    package mutating func extend(
        _ sealer: inout RowSealer, _ extend: Extend
    ) throws(StorageError) -> Bool {
        guard isToExtend else { return false }
        let isOurs = try whileNobodyWaits(&sealer) { (rows, sealer) throws(StorageError) in
            try rows.sealing.extendSome(in: &rows.tables, &sealer, extend)
        }
        return isOurs && isToExtend
    }
}
