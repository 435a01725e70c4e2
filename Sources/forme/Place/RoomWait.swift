import Console
import Daemons
import Operations
import Storage
import Transport
import Wire

private let log = Log("coordinator")

/// The wait of a coordinator for room on its disk. Nothing is accepted meanwhile. The process stays, and does not end
/// the service: gateways go on with stored rows, producers are told to come back, and operators the reason.
final class RoomWait {
    private let folder: DataFolder
    private let endpoints: Endpoints
    private let access: Access
    private let limits: RequestLimits
    private let stop: [Source]
    private let longest: Int
    private var desk: WaitingDesk?
    private var isTold = false

    /// - Parameters:
    ///   - limits: the limits of a request.
    ///   - stop: the sources that tell it to stop.
    ///   - longest: the seconds after which a coordinator that ran out of room begins anew, where no room is seen to
    ///     come: the limit may be that of a user, of which the disk says nothing.
    init(
        in folder: DataFolder, at endpoints: Endpoints, _ access: Access, limits: RequestLimits, until stop: [Source],
        longest: Int = 10
    ) {
        (self.folder, self.endpoints, self.access) = (folder, endpoints, access)
        (self.limits, self.stop, self.longest) = (limits, stop, longest)
    }

    /// Waits for a second; the first time the operator is told.
    ///
    /// - Returns: false where it was told to stop.
    func rest(after error: StorageError) throws -> Bool {
        let reason = Failure(error).sentence
        if desk == nil {
            // A disk without room may have none for a socket, either. Then nobody is answered.
            desk = try? WaitingDesk(
                at: endpoints, access: access, limits: limits,
                reason: "nothing is accepted until there is room: \(reason)")
        }
        if !isTold {
            log.error("nothing is accepted until there is room", ["reason": "\(reason)"])
            ServiceManager.current.ready("waiting for room on the disk")
            isTold = true
        }
        let deadline = ContinuousClock.now + .seconds(1)
        while .now < deadline {
            ServiceManager.current.isAlive()
            let sources = desk?.sources ?? []
            let awake = try wait(for: sources + stop, atMost: deadline - .now)
            if awake.dropFirst(sources.count).contains(true) { return false }
            try desk?.answer()
        }
        return true
    }

    /// Waits, after a coordinator ran out of room, until there is more than there is now, or may be.
    ///
    /// - Returns: false where it was told to stop.
    func restLonger(after error: StorageError) throws -> Bool {
        isTold = false
        defer { end() }
        let before = DiskLeft.bytes(at: folder.path) ?? 0
        for _ in 0..<longest {
            guard try rest(after: error) else { return false }
            if DiskLeft.bytes(at: folder.path) ?? 0 > before { break }
        }
        return true
    }

    /// Leaves the sockets to a coordinator that has its journal.
    func end() { desk = nil }
}
