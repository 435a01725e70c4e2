import Bytes
package import MessageLayout
import Pool
import Record
import Wire

/// What is known of how far a shard is extended.
struct ShardExtension {
    /// Targets that rows are laid out for beside those of their style.
    var targets: [Target] = []
    /// Nil until it is looked up.
    private(set) var mark: ExtensionMark??

    mutating func note(_ mark: ExtensionMark?) { self.mark = .some(mark) }
    mutating func forget() { mark = .none }

    /// Whether rows may be there that have not all of the targets.
    var isDue: Bool {
        guard !targets.isEmpty else { return false }
        guard case let mark?? = mark else { return true }
        return mark.targets != targets || !mark.isDone
    }
}

// Rows that are there are laid out for a target that was added: of what is stored beside them, when nothing else is to be done. The
// same rows come out as if they had been laid out for it from the start, so that nobody is told.
extension SQLiteShard {
    /// Lays out a row once more, for its targets and those that were added; nil where it has all of them, or cannot be laid out of
    /// what is stored.
    package typealias Extend = (_ layout: [UInt8], _ measured: [UInt8]) -> [UInt8]?

    /// From now on rows are laid out for these, too. Those that are there are when `extend` is called.
    package mutating func prepare(_ targets: [Target]) { rows.extended.targets = targets }

    /// Whether `extend` has something to look at.
    package var isToExtend: Bool { adopted != nil && rows.extended.isDue }

    /// Extends some tens of rows, and seals their block anew when all of its rows are done: to be called when there is time, and now
    /// and then where there never is.
    ///
    /// - Returns: whether there may be more to do now.
    package mutating func extend(
        _ sealer: inout RowSealer, _ extend: Extend
    ) throws(StorageError) -> Bool {
        guard isToExtend else { return false }
        let isOurs = try whileNobodyWaits(&sealer) { (rows, sealer) throws(StorageError) in
            try rows.extendSome(&sealer, extend)
        }
        return isOurs && isToExtend
    }
}
