import Console
import Daemons
import Operations
import Pool
import Storage
import Transport

private let log = Log("coordinator")

/// The wait of a coordinator for room on its disk. Nothing is accepted meanwhile. The process stays, and does not end
/// the service: gateways go on with stored rows, producers are told to come back, and operators the reason.
final class RoomWait {
    private let place: Place
    private let access: Access
    private let settings: CoordinatorLoop.Settings
    private let stop: Stop
    private var desk: WaitingDesk?
    private var isTold = false

    init(at place: Place, _ access: Access, _ settings: CoordinatorLoop.Settings, until stop: Stop) {
        (self.place, self.access, self.settings, self.stop) = (place, access, settings, stop)
    }

    /// Waits for a second; the first time the operator is told.
    ///
    /// - Returns: false where it was told to stop.
    func rest(after error: StorageError) throws -> Bool {
        let sentence = "nothing is accepted until there is room: \(Failure(error).sentence)"
        if desk == nil {
            // A disk without room may have none for a socket, either. Then nobody is answered.
            desk = try? WaitingDesk(
                at: place.endpoints, access: access, limits: settings.ingest.request, reason: sentence)
        }
        if !isTold {
            log.error("nothing is accepted until there is room", ["reason": "\(Failure(error).sentence)"])
            ServiceManager.current.ready("waiting for room on the disk")
            isTold = true
        }
        let end = ContinuousClock.now + .seconds(1)
        while .now < end {
            ServiceManager.current.isAlive()
            let sources = desk?.sources ?? []
            let awake = try wait(for: sources + stop.sources, atMost: end - .now)
            if awake.dropFirst(sources.count).contains(true) { return false }
            try desk?.answer()
        }
        return true
    }

    /// Leaves the sockets to a coordinator that has its journal.
    func end() { desk = nil }
}
