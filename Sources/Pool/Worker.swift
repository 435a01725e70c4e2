package import Wire

/// Decides what a worker says and what its lane works on: one lease at a time, in the order they came.
package struct Worker: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        case received(Frame.Content)
        case laidOut(LeaseID, [JobResult])
        case tick(Moment)
        case stop
    }

    package enum Effect: Equatable, Sendable {
        case layOut(Lease)
        case say(Frame.Content)
        /// Everything that was taken is finished, and nothing more will come.
        case leave
    }

    private var capacity: UInt8
    private let beatLength: Duration
    private var nextBeat = Moment.start
    /// The first is in the lane, the others wait.
    private var leases: [Lease] = []

    package init(capacity: UInt8 = 2, beatLength: Duration = .milliseconds(500)) {
        self.capacity = capacity
        self.beatLength = beatLength
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .received(.assign(let lease)):
            guard !leases.contains(where: { $0.id == lease.id }), leases.count < Limits.leasesPerWorker else {
                return []
            }
            leases.append(lease)
            return [.say(beat)] + (leases.count == 1 ? [.layOut(lease)] : [])
        case .received:
            return []
        case .laidOut(let id, let results):
            leases.removeAll { $0.id == id }
            return [.say(.finished(id, results))] + leases.prefix(1).map { .layOut($0) } + leaveWhenDone()
        case .tick(let time):
            guard time >= nextBeat else { return [] }
            nextBeat = time + beatLength
            return [.say(beat)]
        case .stop:
            capacity = 0
            return [.say(beat)] + leaveWhenDone()
        }
    }

    /// A worker that was told to stop takes no more leases, and leaves when it holds none.
    private func leaveWhenDone() -> [Effect] { capacity == 0 && leases.isEmpty ? [.leave] : [] }

    private var beat: Frame.Content { .beat(Beat(capacity: capacity, held: leases.map(\.id))) }
}
