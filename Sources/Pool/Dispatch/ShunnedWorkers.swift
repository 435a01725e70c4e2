import Wire

/// Workers that could not write a shard lately: others that are there get it first. The trouble may be theirs alone,
/// such as a limit of open files, or a disk that only they see as full.
struct ShunnedWorkers: Equatable, Sendable {
    private var list: [(peer: Peer, until: Moment)] = []

    static func == (a: ShunnedWorkers, b: ShunnedWorkers) -> Bool {
        a.list.elementsEqual(b.list) { $0.peer == $1.peer && $0.until == $1.until }
    }

    var isEmpty: Bool { list.isEmpty }

    func contains(_ peer: Peer, at now: Moment) -> Bool {
        !list.isEmpty && list.contains { $0.peer == peer && now < $0.until }
    }

    mutating func add(_ peer: Peer, until moment: Moment, at now: Moment) {
        list.removeAll { $0.peer == peer || $0.until <= now }
        list.append((peer, moment))
    }

    mutating func forget() { list = [] }
}
