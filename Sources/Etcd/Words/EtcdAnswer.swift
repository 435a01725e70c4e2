import Bytes
import JSON

/// The head of every answer of etcd: its cluster, and the number of changes that it has seen.
struct EtcdHead: Equatable, Sendable {
    var cluster: UInt64
    var revision: UInt64
}

/// A key and its value, as etcd has them.
struct EtcdRecord: Equatable, Sendable {
    var key: [UInt8]
    var value: [UInt8]
}

/// The keys of a range, as many as were asked for, and the number of all that there are.
struct EtcdRange: Equatable, Sendable {
    var records: [EtcdRecord]
    var count: UInt64
}

/// The answer to a transaction, with what its ranges found; puts and deletions have none.
struct EtcdTransaction: Equatable, Sendable {
    var head: EtcdHead
    var hasSucceeded: Bool
    var ranges: [EtcdRange]
    /// The number of keys that were removed.
    var deleted: UInt64

    init(_ body: JSONReader) throws(JSONError) {
        let fields = try body.object()
        head = try EtcdHead(fields)
        hasSucceeded = try fields.optional("succeeded")?.bool() ?? false
        (ranges, deleted) = ([], 0)
        for response in try fields.optional("responses")?.elements() ?? [] {
            let response = try response.object()
            if let range = response.optional("response_range") { ranges.append(try EtcdRange(range)) }
            guard let deletion = try response.optional("response_delete_range")?.object() else { continue }
            deleted += try min(deletion.number("deleted"), UInt64(UInt32.max))
        }
    }
}

/// The changes that a watch told: records in the order in which they were put.
struct EtcdChanges: Equatable, Sendable {
    var head: EtcdHead
    var records: [EtcdRecord]

    /// Nil where etcd ended the watch.
    init?(_ line: JSONReader) throws(JSONError) {
        guard let result = try line.object().optional("result")?.object() else { return nil }
        guard try result.optional("canceled")?.bool() != true else { return nil }
        head = try EtcdHead(result)
        records = []
        for event in try result.optional("events")?.elements() ?? [] {
            if let record = try event.object().optional("kv") { records.append(try EtcdRecord(record)) }
        }
    }
}

/// A refusal of etcd: a code of gRPC, and words.
struct EtcdFailure: Equatable, Sendable {
    var code: Int
    var words: String

    static let invalid = 3
    static let exhausted = 8
    static let outOfRange = 11

    init(_ body: JSONReader) throws(JSONError) {
        let fields = try body.object()
        code = try fields.required("code").integer(in: 0...16)
        words = try fields.required("error").string()
    }

    /// Whether the quota is reached: nothing is taken until there is room and the alarm is off. The record itself may
    /// have been taken, as one that comes through when the alarm is raised is written and refused (`quotaApplierV3`).
    var isOutOfRoom: Bool { code == Self.exhausted && words.contains("space exceeded") }
}

/// The members whose quota is reached. etcd's answer about alarms has no head.
struct EtcdAlarms: Equatable, Sendable {
    var members: [UInt64]

    init(_ body: JSONReader) throws(JSONError) {
        let fields = try body.object()
        members = []
        for alarm in try fields.optional("alarms")?.elements() ?? [] {
            let alarm = try alarm.object()
            if try alarm.optional("alarm")?.string() == "NOSPACE" { members.append(try alarm.number("memberID")) }
        }
    }
}

extension EtcdHead {
    init(_ answer: JSONReader.Fields) throws(JSONError) {
        let found = try answer.required("header")
        let header = try found.object()
        (cluster, revision) = (try header.number("cluster_id"), try header.number("revision"))
        // A revision of etcd is a signed number, and every answer has a cluster and a revision.
        guard cluster != 0, 1...UInt64(Int64.max) ~= revision else {
            throw found.mismatch(expected: "cluster and revision of an etcd")
        }
    }
}

extension EtcdRange {
    fileprivate init(_ body: JSONReader) throws(JSONError) {
        let fields = try body.object()
        (records, count) = ([], try fields.number("count"))
        for record in try fields.optional("kvs")?.elements() ?? [] { records.append(try EtcdRecord(record)) }
    }
}

extension EtcdRecord {
    fileprivate init(_ body: JSONReader) throws(JSONError) {
        let fields = try body.object()
        (key, value) = (try fields.bytes("key"), try fields.bytes("value"))
    }
}

extension JSONReader.Fields {
    /// Returns a number of 64 bits, which stands as a text; zero is left out.
    fileprivate func number(_ name: String) throws(JSONError) -> UInt64 {
        guard let field = optional(name) else { return 0 }
        guard let number = UInt64(try field.string()) else { throw field.mismatch(expected: "digits of a number") }
        return number
    }

    fileprivate func bytes(_ name: String) throws(JSONError) -> [UInt8] {
        guard let field = optional(name) else { return [] }
        guard let bytes = Base64.bytes(try field.string()) else { throw field.mismatch(expected: "base64") }
        return bytes
    }
}
