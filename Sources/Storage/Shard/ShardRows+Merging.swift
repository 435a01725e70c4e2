import Names
import Wire

// Places of new rows come into their table by the thousand: `PlaceMerge` says which are there.
extension ShardRows {
    /// Whether there is something to merge when nothing else is to be done.
    var isToMerge: Bool { tables.recent.merged.isUnderWay || changesToMerge >= mergeLength }

    /// Whether merging does not keep up: then each commit does a step of it.
    var isMergingBehind: Bool { changesToMerge >= 2 * mergeLength }

    /// How many are read at an opening.
    private var changesToMerge: Int64 { standing.total - tables.recent.merged.since.total }

    /// Of the changes that are kept at all, half may have to be for merging.
    private var mergeLength: Int64 { Int64(min(settings.merge, settings.changesKept / 4)) }

    /// More would keep others waiting.
    private var mergedAtOnce: Int { Int(max(1, mergeLength / 8)) }

    /// Merges the places of the next conversations, in a transaction of which nothing else is a part.
    mutating func mergeSome() throws(StorageError) {
        var merge = tables.recent.merged
        guard merge.placed != .max else { return }
        if !merge.isUnderWay {
            merge.begin(
                to: standing.lastNumber,
                at: PlaceMerge.Moment(stamp: Int64(bitPattern: standing.stamp.number), total: standing.total))
        }
        let most = mergedAtOnce
        var count = 0
        var isMore = false
        tables.nextRecent.bind(merge.conversation, at: 1)
        tables.nextRecent.bind(merge.target, at: 2)
        try tables.nextRecent.each { (row) throws(StorageError) in
            let conversation = row.integer(0)
            if count >= most, conversation != merge.conversation {
                isMore = true
                return false
            }
            merge.conversation = conversation
            count += 1
            tables.putPlace.bind(conversation, at: 1)
            tables.putPlace.bind(row.integer(1), at: 2)
            tables.putPlace.bind(row.blob(2), at: 3)
            tables.putPlace.bind(row.integer(3), at: 4)
            try tables.putPlace.run()
            return true
        }
        if !isMore { merge.end() }
        try tables.recent.take(merge)
        try merge.write(tables.setMerge)
    }
}
