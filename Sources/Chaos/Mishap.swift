/// What happens to a running service.
package enum Mishap: Equatable, Sendable {
    /// Ended at once, without a last word: kill -9.
    case kill(Role)
    /// Stopped for a while, as by a debugger or a machine that swaps: SIGSTOP, then SIGCONT.
    case pause(Role, Duration)
    /// A worker is stopped in the middle of a transaction, with the lock of a shard in its hand.
    case pauseUnderLock(Duration)
    /// No file grows any more.
    case fullDisk(Duration)
    /// Bytes of a shard are not what was written.
    case damagedShard
    /// A worker ends while it looks a shard over, as bytes of it are not what was written.
    case cutExamination
    /// The file of a shard is gone.
    case lostShard
    /// The clock on the wall goes so many seconds forward, or back.
    case clockJump(Int)

    /// The part of the service that a process plays.
    package enum Role: String, CaseIterable, Sendable {
        case worker, coordinator, gateway
        /// The supervisor, whose children end with it.
        case serve
    }

    package enum Kind: String, CaseIterable, Sendable {
        case killWorker = "kill worker"
        case killCoordinator = "kill coordinator"
        case killGateway = "kill gateway"
        case killServe = "kill serve"
        case pause
        case pauseUnderLock = "pause under lock"
        case fullDisk = "full disk"
        case damagedShard = "damaged shard"
        case cutExamination = "cut examination"
        case lostShard = "lost shard"
        case clockJump = "clock jump"

        package var isKill: Bool {
            switch self {
            case .killWorker, .killCoordinator, .killGateway, .killServe: true
            case .pause, .pauseUnderLock, .fullDisk, .damagedShard, .cutExamination, .lostShard, .clockJump: false
            }
        }
    }

    package var kind: Kind {
        switch self {
        case .kill(.worker): .killWorker
        case .kill(.coordinator): .killCoordinator
        case .kill(.gateway): .killGateway
        case .kill(.serve): .killServe
        case .pause: .pause
        case .pauseUnderLock: .pauseUnderLock
        case .fullDisk: .fullDisk
        case .damagedShard: .damagedShard
        case .cutExamination: .cutExamination
        case .lostShard: .lostShard
        case .clockJump: .clockJump
        }
    }
}
