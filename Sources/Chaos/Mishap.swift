/// A fault that a chaos run brings upon a running service.
package enum Mishap: Equatable, Sendable {
    /// Ended at once, without a last word: kill -9.
    case kill(Role)
    /// Stopped for a while, as by a debugger or a machine that swaps: SIGSTOP, then SIGCONT.
    case pause(Role, Duration)
    /// A worker is stopped in the middle of a transaction, while it holds the lock of a shard.
    case pauseUnderLock(Duration)
    /// No file grows any more.
    case fullDisk(Duration)
    /// Some bytes of a shard's file are overwritten.
    case damagedShard
    /// A worker is killed while it examines a damaged shard.
    case cutExamination
    /// The file of a shard is gone.
    case lostShard
    /// The wall clock is set so many seconds ahead of the time, or behind it.
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
