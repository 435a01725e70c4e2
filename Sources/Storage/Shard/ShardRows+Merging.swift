import Names
import Wire

// Places of new rows come into their table by the thousand: `PlaceMerge` says which are there.
extension ShardRows {
    /// Whether there is something to merge when nothing else is to be done.
    var isToMerge: Bool { tables.recent.merged.isUnderWay || changesToMerge >= mergeLength }

    /// Whether merging does not keep up: then each commit does a step of it.
    var isMergingBehind: Bool { changesToMerge >= 2 * mergeLength }

    /// The number of changes that an opening reads for places that are not merged.
    private var changesToMerge: Int64 { standing.total - tables.recent.merged.since.total }

    /// The number of changes at which a merge begins: merging is behind at twice as many, which are
    /// half of all kept changes at most.
    private var mergeLength: Int64 { Int64(min(settings.merge, settings.changesKept / 4)) }

    /// Places in one transaction: more would keep others waiting.
    private var mergedAtOnce: Int { Int(max(1, mergeLength / 8)) }

    /// Merges the places of the next conversations, in a transaction of its own.
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
        for conversation in tables.recent.list.conversations(after: merge.conversation) {
            let places = tables.recent.list.places(of: conversation).filter { $0.number.number <= merge.target }
            isMore = count >= most && !places.isEmpty
            if isMore { break }
            merge.conversation = conversation
            count += places.count
            for place in places {
                tables.putPlace.bind(conversation, place.position, at: 1)
                tables.putPlace.bind(place.number.number, at: 4)
                try tables.putPlace.run()
            }
        }
        if !isMore { merge.end() }
        tables.recent.take(merge)
        try merge.write(tables.setMerge)
    }
}
