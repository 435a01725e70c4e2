import Wire

/// A number that counts things of one kind from zero: it finds its place in a table of these, and in no other.
protocol TableKey: Hashable, Comparable, Sendable {
    init(_ number: UInt16)
    var number: UInt16 { get }
}

extension Shard: TableKey {}
extension FileNumber: TableKey {}

/// A value for each key of a kind, in the order of keys.
struct Table<Key: TableKey, Value: Equatable & Sendable>: Equatable, Sendable {
    private(set) var values: [Value]

    init(_ values: [Value]) { self.values = values }

    /// Makes a value for each of so many keys.
    init(_ count: Int, _ value: (Key) -> Value) { values = (0..<count).map { value(Key(UInt16($0))) } }

    var count: Int { values.count }
    var keys: LazyMapSequence<Range<Int>, Key> { (0..<values.count).lazy.map { Key(UInt16($0)) } }

    func contains(_ key: Key) -> Bool { Int(key.number) < values.count }

    subscript(key: Key) -> Value {
        get { values[Int(key.number)] }
        _modify { yield &values[Int(key.number)] }
    }
}

/// A value for each lane.
struct ByLane<Value> {
    private var live: Value
    private var backfill: Value
    private var relayout: Value

    init(_ value: Value) { (live, backfill, relayout) = (value, value, value) }

    subscript(lane: Lane) -> Value {
        get {
            switch lane {
            case .live: live
            case .backfill: backfill
            case .relayout: relayout
            }
        }
        _modify {
            switch lane {
            case .live: yield &live
            case .backfill: yield &backfill
            case .relayout: yield &relayout
            }
        }
    }
}

extension ByLane: Equatable where Value: Equatable {}
extension ByLane: Sendable where Value: Sendable {}
