import Names
import Pool
import Wire

/// A worker's access to the file of a shard, while it does one batch.
struct SimulatedShard: ShardStore {
    enum Failure: Error {
        case full
        /// The file is locked by the transaction of a process that is stopped.
        case locked(Int)
    }

    var file: ShardFile
    let process: Int
    let isFull: Bool
    /// The origin that it claims to have, under a planted bug.
    var claimed: ShardOrigin?

    var origin: ShardOrigin { claimed ?? file.origin }

    mutating func adopt(_ epoch: LeaseEpoch) throws(Failure) -> Stamp? {
        try check()
        return file.adopt(epoch)
    }

    mutating func commit(_ changes: [ShardChange], under epoch: LeaseEpoch) throws(Failure) -> Stamp? {
        try check()
        return file.begin(changes, under: epoch, by: process)
    }

    func storedKey(of message: MessageNumber) -> [UInt8]? { file.rows[message]?.key }
    func unavailable() -> Int { file.lost.count }
    mutating func sync() -> ShardPoint { file.sync() }

    private func check() throws(Failure) {
        if isFull { throw .full }
        if let open = file.open, open.process != process { throw .locked(open.process) }
    }
}

/// A layout, as a simulated worker makes it: its bytes tell what it was made of.
enum SimulatedLayout {
    static let role = RowRole(template: "message", joinsSeries: true)

    static func key(_ state: MessageState, _ edition: EditionID) -> [UInt8] {
        var hash = StableHash()
        hash.add(edition.text.utf8)
        hash.add(state.body.hash)
        hash.add(state.reactions ?? [])
        return (0..<8).map { UInt8(truncatingIfNeeded: hash.value >> ($0 * 8)) }
    }

    static func layOut(
        _ state: MessageState, _ stored: [UInt8]?, _ edition: EditionID
    ) throws(Objection) -> BatchWork.LaidOut {
        guard state.body.content.first != EventScript.refused else { throw Objection("the style has no layout for it") }
        let key = key(state, edition)
        return key == stored ? .asBefore : .anew(role, key: key, layout: key, measured: [])
    }

    /// Makes the same of a row from another host, where one came.
    static func layOut(
        _ job: LayoutJob, _ state: MessageState, _ stored: [UInt8]?, _ edition: EditionID,
        _ borrowed: inout BorrowedRows
    ) throws(Objection) -> BatchWork.LaidOut {
        guard !state.isDoubted, let made = borrowed.row(of: job.message) else {
            return try layOut(state, stored, edition)
        }
        guard borrowed.isChecked(job.message) else {
            return made.key == stored ? .asBefore : .anew(role, key: made.key, layout: made.layout, measured: [])
        }
        let key = key(state, edition)
        let own = MadeRow(
            place: made.place, template: role.template, joinsSeries: role.joinsSeries, key: key, layout: key,
            measured: [])
        borrowed.compare(made, with: own, of: job)
        return try layOut(state, stored, edition)
    }
}
