import Wire

/// The jobs of a shard that are done: all up to one, and ranges after it. Jobs end nearly in order, so ranges are
/// few; where one waits long, all that end meanwhile are one range.
struct DoneJobs: Equatable, Sendable {
    private(set) var through: UInt64
    private(set) var beyond: [ClosedRange<UInt64>]
    /// The number of jobs in `beyond`.
    private(set) var count: UInt64

    init(through: JobNumber, beyond: [ClosedRange<JobNumber>] = []) {
        self.through = through.number
        self.beyond = beyond.map { $0.lowerBound.number...$0.upperBound.number }
        count = self.beyond.reduce(0) { $0 + UInt64($1.count) }
    }

    /// The number of jobs that are done.
    var total: UInt64 { through + count }

    func contains(_ job: JobNumber) -> Bool {
        guard job.number > through else { return true }
        let range = firstRange(endingAt: job.number)
        return range < beyond.count && beyond[range].lowerBound <= job.number
    }

    /// Marks a range as done, and returns the number of its jobs that were not done before.
    mutating func finish(_ range: ClosedRange<UInt64>) -> Int {
        guard range.upperBound > through else { return 0 }
        let range = max(range.lowerBound, through + 1)...range.upperBound
        let before = total
        // Ranges that it touches: from the first that ends at its lower edge or later, to the last that begins at its
        // upper edge.
        let first = firstRange(endingAt: range.lowerBound - 1)
        var last = first
        var merged = range
        while last < beyond.count, beyond[last].lowerBound <= range.upperBound + 1 {
            merged = min(merged.lowerBound, beyond[last].lowerBound)...max(merged.upperBound, beyond[last].upperBound)
            count -= UInt64(beyond[last].count)
            last += 1
        }
        if merged.lowerBound == through + 1 {
            through = merged.upperBound
            beyond.removeSubrange(first..<last)
        } else {
            count += UInt64(merged.count)
            beyond.replaceSubrange(first..<last, with: CollectionOfOne(merged))
        }
        return Int(total - before)
    }

    private func firstRange(endingAt number: UInt64) -> Int {
        var places = 0..<beyond.count
        while let middle = places.dropFirst(places.count / 2).first {
            if beyond[middle].upperBound < number {
                places = middle + 1..<places.upperBound
            } else {
                places = places.lowerBound..<middle
            }
        }
        return places.lowerBound
    }

    /// Returns at most `limit` ranges: a job that they do not name is done again after a start.
    func ranges(atMost limit: Int) -> [ClosedRange<JobNumber>] {
        beyond.prefix(limit).map { JobNumber($0.lowerBound)...JobNumber($0.upperBound) }
    }
}
