package import Names

/// Conversations by name, each with the time of its last activity: it lists the conversations whose names begin with
/// some bytes, the most active first, page by page.
///
/// Names stand in sorted blocks of some thousand, and each block ranks its own names by activity. A page therefore
/// costs a look into each block of the names that are asked for, and one more for each of its conversations, whatever
/// else the index holds and however deep in the list the page is. A conversation that becomes active moves within its
/// block.
package struct ConversationIndex: Sendable {
    /// The names that are asked for.
    package enum Scope: Hashable, Sendable {
        case all
        case one(ConversationID)
        /// All names that begin with these bytes.
        case prefix(String)
    }

    /// The place of a conversation in the list: the most active first, and those of the same moment by name.
    package struct Place: Hashable, Sendable {
        package var activity: Int64
        package var name: ConversationID
        package init(activity: Int64, name: ConversationID) { (self.activity, self.name) = (activity, name) }
    }

    private var blocks: [Block] = []
    package private(set) var count = 0

    package init() {}

    /// The memory that it takes, about, in bytes.
    package var bytes: Int { blocks.reduce(0) { $0 + $1.size } }

    /// Notes that a conversation was active at a time; a time before the one it has changes nothing.
    package mutating func put(_ name: ConversationID, activity: Int64) {
        let key = Array(name.text.utf8)
        guard !blocks.isEmpty else {
            blocks = [Block()]
            return put(name, activity: activity)
        }
        let place = max(0, blocks.firstIndex(where: { !$0.starts(before: key, orAt: true) }) - 1)
        if blocks[place].put(key, activity) { count += 1 }
        if blocks[place].count > Block.most { blocks.insert(blocks[place].split(), at: place + 1) }
    }

    /// The time of its last activity; nil for a conversation that is not known.
    package func activity(of name: ConversationID) -> Int64? {
        let key = Array(name.text.utf8)
        guard !blocks.isEmpty else { return nil }
        let place = max(0, blocks.firstIndex(where: { !$0.starts(before: key, orAt: true) }) - 1)
        return blocks[place].activity(of: key)
    }

    /// The next conversations of the list, behind a place.
    package func page(of scope: Scope, after place: Place? = nil, count limit: Int) -> [Place] {
        let bounds = Bounds(scope)
        let first = max(0, blocks.firstIndex(where: { !$0.starts(before: bounds.lower, orAt: true) }) - 1)
        let cursor = place.map { (activity: $0.activity, key: Array($0.name.text.utf8)) }
        var heads: [Head] = []
        for number in blocks.indices.dropFirst(first) {
            if let upper = bounds.upper, !blocks[number].starts(before: upper, orAt: false) { break }
            let names = blocks[number].names(in: bounds)
            guard !names.isEmpty else { continue }
            var head = Head(block: number, rank: blocks[number].rank(after: cursor), names: names, activity: 0)
            if head.settle(in: blocks[number]) { heads.append(head) }
        }
        var heap = Heap(heads)
        var found: [Place] = []
        while found.count < limit, var head = heap.first {
            let block = blocks[head.block]
            let name = block.name(Int(block.ranking[head.rank]))
            found.append(Place(activity: head.activity, name: name))
            head.rank += 1
            if head.settle(in: block) { heap.replaceFirst(head) } else { heap.removeFirst() }
        }
        return found
    }
}

/// The names of a scope, from a lower bound on and below an upper one.
private struct Bounds {
    let lower: [UInt8]
    /// Nil where there is no end.
    let upper: [UInt8]?

    init(_ scope: ConversationIndex.Scope) {
        switch scope {
        case .all: (lower, upper) = ([], nil)
        case .one(let name):
            lower = Array(name.text.utf8)
            upper = lower + [0]
        case .prefix(let text):
            lower = Array(text.utf8)
            // UTF-8 has no byte 255, so no name is the prefix and this byte, or anything after that.
            upper = lower + [0xFF]
        }
    }
}

/// A block's most active conversation that is not in the page yet.
private struct Head {
    let block: Int
    var rank: Int
    let names: Range<Int>
    var activity: Int64

    /// Goes on to the next one that is among the names; false behind the last.
    mutating func settle(in block: Block) -> Bool {
        while rank < block.count, !names.contains(Int(block.ranking[rank])) { rank += 1 }
        guard rank < block.count else { return false }
        activity = block.activities[Int(block.ranking[rank])]
        return true
    }

    func stands(before other: Head) -> Bool {
        activity == other.activity ? block < other.block : activity > other.activity
    }
}

/// A binary heap of heads; the first is the most active.
private struct Heap {
    private var heads: [Head]

    init(_ heads: [Head]) {
        self.heads = heads
        for place in stride(from: heads.count / 2, through: 0, by: -1) { sink(from: place) }
    }

    var first: Head? { heads.first }

    mutating func replaceFirst(_ head: Head) {
        heads[0] = head
        sink(from: 0)
    }

    mutating func removeFirst() {
        let last = heads.removeLast()
        if !heads.isEmpty { replaceFirst(last) }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var best = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heads.count && heads[child].stands(before: heads[best]) { best = child }
            guard best != place else { return }
            heads.swapAt(place, best)
            place = best
        }
    }
}

/// Some names, sorted, with a ranking by their last activity.
private struct Block: Sendable {
    static let most = 2048

    /// All names, one behind the other, and the end of each.
    private var text: [UInt8] = []
    private var ends: [UInt32] = []
    private(set) var activities: [Int64] = []
    /// Places of the names, the most active first, and equally active ones in their order.
    private(set) var ranking: [UInt16] = []

    var count: Int { ends.count }
    var size: Int { text.capacity + 4 * ends.capacity + 8 * activities.capacity + 2 * ranking.capacity }

    private func bytes(_ place: Int) -> ArraySlice<UInt8> {
        text[(place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])]
    }

    func name(_ place: Int) -> ConversationID {
        do {
            return try ConversationID(String(decoding: bytes(place), as: UTF8.self))
        } catch {
            preconditionFailure("names in an index are names: \(error)")
        }
    }

    func starts(before key: [UInt8], orAt isAt: Bool) -> Bool {
        guard count > 0 else { return true }
        let first = bytes(0)
        return first.lexicographicallyPrecedes(key) || isAt && first.elementsEqual(key)
    }

    /// The first place whose name does not precede a key.
    private func place(of key: [UInt8]) -> Int { (0..<count).firstPlace { !bytes($0).lexicographicallyPrecedes(key) } }

    func activity(of key: [UInt8]) -> Int64? {
        let place = place(of: key)
        return place < count && bytes(place).elementsEqual(key) ? activities[place] : nil
    }

    func names(in bounds: Bounds) -> Range<Int> {
        let start = place(of: bounds.lower)
        return start..<max(start, bounds.upper.map { place(of: $0) } ?? count)
    }

    /// The first rank behind a place of the list.
    func rank(after cursor: (activity: Int64, key: [UInt8])?) -> Int {
        guard let cursor else { return 0 }
        return (0..<count).firstPlace { rank in
            let place = Int(ranking[rank])
            let activity = activities[place]
            if activity != cursor.activity { return activity < cursor.activity }
            return cursor.key.lexicographicallyPrecedes(bytes(place))
        }
    }

    private func rank(of place: Int, at activity: Int64) -> Int {
        (0..<count).firstPlace { rank in
            let other = Int(ranking[rank])
            return activities[other] == activity ? other >= place : activities[other] < activity
        }
    }

    /// - Returns: whether the name is new.
    mutating func put(_ key: [UInt8], _ activity: Int64) -> Bool {
        let place = place(of: key)
        if place < count, bytes(place).elementsEqual(key) {
            guard activity > activities[place] else { return false }
            ranking.remove(at: rank(of: place, at: activities[place]))
            activities[place] = activity
            insert(place)
            return false
        }
        let start = place == 0 ? 0 : Int(ends[place - 1])
        text.replaceSubrange(start..<start, with: key)
        ends.insert(UInt32(start), at: place)
        for later in ends.indices[place...] { ends[later] += UInt32(key.count) }
        activities.insert(activity, at: place)
        for rank in ranking.indices where ranking[rank] >= place { ranking[rank] += 1 }
        insert(place)
        return true
    }

    /// Inserts a place into the ranking of those that have one, which may be all but this.
    private mutating func insert(_ place: Int) {
        let activity = activities[place]
        let rank = ranking.indices.firstPlace { rank in
            let other = Int(ranking[rank])
            return activities[other] == activity ? other > place : activities[other] < activity
        }
        ranking.insert(UInt16(place), at: rank)
    }

    /// Gives away its second half.
    mutating func split() -> Block {
        let half = count / 2
        let start = ends[half - 1]
        var other = Block()
        other.text = Array(text[Int(start)...])
        other.ends = ends[half...].map { $0 - start }
        other.activities = Array(activities[half...])
        other.ranking = ranking.filter { $0 >= half }.map { $0 - UInt16(half) }
        text.removeSubrange(Int(start)...)
        ends.removeSubrange(half...)
        activities.removeSubrange(half...)
        ranking.removeAll { $0 >= half }
        return other
    }
}

extension Range<Int> {
    /// The first place for which this holds, and for all behind it; the end where it holds for none.
    fileprivate func firstPlace(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension [Block] {
    /// The first block, among blocks in order, for which this holds, and for all behind it.
    fileprivate func firstIndex(where holds: (Block) -> Bool) -> Int { indices.firstPlace { holds(self[$0]) } }
}
