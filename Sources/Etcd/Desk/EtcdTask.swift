import Pool
import Replication

/// A task for etcd, which is asked until it is answered, or its time is up.
enum EtcdTask: Equatable, Sendable {
    case append(AppendTicket, [LogAppend])
    /// Reads an append back that was refused for want of room: the record may be there all the same.
    case readBack(AppendTicket, [LogAppend])
    case read([ReadWish])
    case trim(Partition, to: LogSequence)
    case begin(Partition, after: LogSequence, inPlaceOf: LogSequence?)
    case compact(through: UInt64)
    /// Defragments one node: compacted bytes count until then.
    case defragment(node: Int)
    case alarms
    case disarm(UInt64)
}

extension EtcdTask {
    /// Whether it may be sent twice: everything but an append, which may have been done.
    var isRepeatable: Bool { if case .append = self { false } else { true } }

    /// The time until it is given up, and the time that one node is waited for.
    var patience: (whole: Duration, call: Duration) {
        switch self {
        case .append: (.seconds(2), .seconds(2))
        case .readBack, .read, .trim, .begin, .alarms, .disarm: (.seconds(3), .seconds(1))
        case .compact: (.seconds(10), .seconds(10))
        case .defragment: (.seconds(60), .seconds(60))
        }
    }

    var path: String {
        switch self {
        case .append, .readBack, .read, .trim, .begin: "/v3/kv/txn"
        case .compact: "/v3/kv/compaction"
        case .defragment: "/v3/maintenance/defragment"
        case .alarms, .disarm: "/v3/maintenance/alarm"
        }
    }

    func body(_ requests: EtcdRequests) -> [UInt8] {
        switch self {
        case .append(_, let records): requests.append(records)
        case .readBack(_, let records): requests.readBack(records)
        case .read(let wishes): requests.read(wishes)
        case .trim(let partition, let place): requests.trim(partition, to: place)
        case .begin(let partition, let place, let end): requests.begin(partition, after: place, inPlaceOf: end)
        case .compact(let revision): EtcdRequests.compact(through: revision)
        case .defragment, .alarms: EtcdRequests.nothing
        case .disarm(let member): EtcdRequests.disarm(member)
        }
    }
}

struct CallNumber: Hashable, Sendable {
    var number: UInt64
}

/// One request to one node.
struct EtcdCall: Equatable, Sendable {
    var number: CallNumber
    var node: Int
    var path: String
    var body: [UInt8]
    /// The time that it may take, the connection included.
    var patience: Duration
}

/// The outcome of a call.
enum CallOutcome: Equatable, Sendable {
    case answered(status: Int, [UInt8])
    /// Nothing of it left this host.
    case unsent(String)
    /// It may have been done: the answer did not come, or not all of it.
    case cut(String)

    /// The longest answer that is taken: a page of the longest records.
    static let mostBytes = 64 << 20
}
