package import MessageLayout
import Operations
import Pool
package import Shaping
package import Storage
package import Transport
package import Wire

private let log = Log("worker")

/// A worker's socket thread: performs what `Worker` decides, while the lane lays out.
package struct WorkerLoop: ~Copyable {
    private let socket: Socket
    private let lane: LayoutLane
    private let clock = LoopClock()
    private var worker = Worker()

    private static let tickLength: Duration = .milliseconds(100)

    package init(
        in folder: DataFolder, at endpoints: Endpoints, access: Access = Access(), style: StyleSheet,
        fonts: @escaping @Sendable () throws -> FontList
    ) throws {
        let socket = try Socket(
            .dealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoints.workers))
        try socket.connect(endpoints.workers)
        lane = try LayoutLane(folder: folder, style: style, fonts: fonts)
        self.socket = socket
    }

    /// Works until told to stop, and then until everything it took is finished.
    package mutating func run(until stop: [Source]) throws {
        var isReady = false
        var waiting = stop
        while true {
            ServiceManager.current.isAlive()
            let awake = try wait(for: [lane.reports.source, socket.source] + waiting, atMost: Self.tickLength)
            if awake.dropFirst(2).contains(true) {
                waiting = []
                if try perform(worker.handle(.stop)) { return }
            }
            for report in lane.reports.takeAll() {
                switch report {
                case .ready:
                    isReady = true
                    ServiceManager.current.ready("taking work")
                case .laidOut(let lease, let results):
                    if try perform(worker.handle(.laidOut(lease, results))) { return }
                case .failed(let error): throw error
                }
            }
            // Before the lane is ready there is nothing to offer.
            guard isReady else { continue }
            while let parts = try socket.receive() { try hear(parts) }
            _ = try perform(worker.handle(.tick(clock.now)))
        }
    }

    private mutating func hear(_ parts: [[UInt8]]) throws {
        do {
            let frame = try Frame(decoding: parts.count == 1 ? parts[0] : [])
            _ = try perform(worker.handle(.received(frame.content)))
        } catch let error as WireError {
            log.warning(
                "the coordinator sent what cannot be read; is its version the same as ours?", ["reason": "\(error)"])
        }
    }

    /// True when it is time to leave.
    private func perform(_ effects: [Worker.Effect]) throws -> Bool {
        var leave = false
        for effect in effects {
            switch effect {
            case .layOut(let lease): lane.leases.post(lease)
            // Not connected: what is not heard is asked for again, by lease and by beat.
            case .say(let content): _ = try socket.send(Frame(content).encoded())
            case .leave: leave = true
            }
        }
        return leave
    }
}
