import Bytes
import JSON
import Replication

/// The requests to etcd, as its JSON gateway takes them.
struct EtcdRequests: Equatable, Sendable {
    let keys: EtcdKeys

    /// A request that puts all records, each behind its place; or else tells for each whether there is a record
    /// before it, and whether its own place is taken.
    func append(_ records: [LogAppend]) -> [UInt8] {
        transaction {
            for record in records {
                $0.compare(keys.key(record.partition, record.behind), isThere: true)
                $0.compare(keys.key(record.partition, record.behind.next), isThere: false)
            }
        } success: {
            for record in records { $0.put(keys.key(record.partition, record.behind.next), record.bytes) }
        } failure: {
            for record in records {
                for place in [record.behind, record.behind.next] {
                    $0.range(keys.key(record.partition, place), limit: 1, isWithValues: false)
                }
            }
        }
    }

    /// A request for the records at the places where these were to stand.
    func readBack(_ records: [LogAppend]) -> [UInt8] {
        transaction {
            for record in records { $0.range(keys.key(record.partition, record.behind.next), limit: 1) }
        }
    }

    /// A request for the extent of each log, and its records behind a place. One more is asked for, as the first key
    /// of a log is no record.
    func read(_ wishes: [ReadWish]) -> [UInt8] {
        transaction {
            for wish in wishes {
                $0.range(keys.all(of: wish.partition), limit: 1, isWithValues: false)
                $0.range(keys.behind(wish.after, of: wish.partition), limit: wish.limit + 1)
            }
        }
    }

    /// A request that removes all before the place, where the log has that place; or else tells how far the log
    /// reaches.
    func trim(_ partition: Partition, to place: LogSequence) -> [UInt8] {
        transaction {
            $0.compare(keys.key(partition, place), isThere: true)
        } success: {
            $0.delete(keys.before(place, of: partition))
        } failure: {
            $0.range(keys.all(of: partition), limit: 1, isWithValues: false)
        }
    }

    /// A request that puts a place to stand behind, where the log has no key at all; or in place of a log that ends
    /// at an earlier one.
    func begin(_ partition: Partition, after place: LogSequence, inPlaceOf end: LogSequence?) -> [UInt8] {
        transaction {
            if let end {
                $0.compare(keys.key(partition, end), isThere: true)
                $0.compare(keys.key(partition, end.next), isThere: false)
            } else {
                $0.compare(keys.all(of: partition), isThere: false)
            }
        } success: {
            if let end { $0.delete(keys.before(end.next, of: partition)) }
            $0.put(keys.key(partition, place), [])
        }
    }

    func watch(from revision: UInt64) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("create_request")
            $0.object {
                $0.range(keys.all)
                $0.key("start_revision")
                $0.string(String(revision))
                $0.key("filters")
                $0.array { $0.string("NODELETE") }
            }
        }
        return json.bytes
    }

    static let nothing: [UInt8] = Array("{}".utf8)

    static func compact(through revision: UInt64) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("revision")
            $0.string(String(revision))
            $0.key("physical")
            $0.bool(true)
        }
        return json.bytes
    }

    static func disarm(_ member: UInt64) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("action")
            $0.string("DEACTIVATE")
            $0.key("memberID")
            $0.string(String(member))
            $0.key("alarm")
            $0.string("NOSPACE")
        }
        return json.bytes
    }

    private func transaction(
        compare: (inout JSONWriter) -> Void = { _ in }, success: (inout JSONWriter) -> Void,
        failure: (inout JSONWriter) -> Void = { _ in }
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("compare")
            $0.array(compare)
            $0.key("success")
            $0.array(success)
            $0.key("failure")
            $0.array(failure)
        }
        return json.bytes
    }
}

/// A wish to read records of one log.
struct ReadWish: Equatable, Sendable {
    var partition: Partition
    var after: LogSequence
    var limit: Int
}

extension JSONWriter {
    /// Compares the revision in which a key was made; a key that was never made has revision 0.
    fileprivate mutating func compare(_ key: [UInt8], isThere: Bool) {
        object {
            $0.bytes("key", key)
            $0.creation(isThere)
        }
    }

    fileprivate mutating func compare(_ range: EtcdKeys.Range, isThere: Bool) {
        object {
            $0.range(range)
            $0.creation(isThere)
        }
    }

    private mutating func creation(_ isThere: Bool) {
        key("target")
        string("CREATE")
        key("result")
        string(isThere ? "GREATER" : "EQUAL")
        key("create_revision")
        string("0")
    }

    fileprivate mutating func put(_ key: [UInt8], _ value: [UInt8]) {
        object {
            $0.key("request_put")
            $0.object {
                $0.bytes("key", key)
                $0.bytes("value", value)
            }
        }
    }

    fileprivate mutating func delete(_ range: EtcdKeys.Range) {
        object {
            $0.key("request_delete_range")
            $0.object { $0.range(range) }
        }
    }

    fileprivate mutating func range(_ key: [UInt8], limit: Int, isWithValues: Bool = true) {
        range(EtcdKeys.Range(from: key, to: key + [0]), limit: limit, isWithValues: isWithValues)
    }

    fileprivate mutating func range(_ range: EtcdKeys.Range, limit: Int, isWithValues: Bool = true) {
        object {
            $0.key("request_range")
            $0.object {
                $0.range(range)
                $0.key("limit")
                $0.string(String(limit))
                if !isWithValues {
                    $0.key("keys_only")
                    $0.bool(true)
                }
            }
        }
    }

    fileprivate mutating func range(_ range: EtcdKeys.Range) {
        bytes("key", range.from)
        bytes("range_end", range.to)
    }

    private mutating func bytes(_ name: String, _ bytes: [UInt8]) {
        key(name)
        var text = [UInt8(ascii: "\"")]
        Base64.append(bytes, to: &text)
        text.append(UInt8(ascii: "\""))
        raw(text)
    }
}
