import Names
import Pool
import Wire

/// An event on the agenda of a world. An event for one process does not come to the next process in its seat.
enum Happening {
    case mail(Mail)
    case word(CoordinatorWord, seat: Int, process: Int)
    case answers([EventAnswer], request: Int, seat: Int, process: Int)
    case coordinator(CoordinatorStep, process: Int)
    case worker(WorkerStep, seat: Int, process: Int)
    case helper(HelperStep, seat: Int, process: Int)
    case helperWord(CoordinatorWord, seat: Int, process: Int)
    case producer(seat: Int, process: Int)
    case reader(seat: Int, process: Int)
    case start(ProcessRole)
    case fault
    case roll(seat: Int)
    case want(EditionID)
    case glance
    case heal
    case look
}

/// Mail of the coordinator.
enum Mail {
    case word(WorkerWord, seat: Int, process: Int)
    case request([Int], Lane, number: Int, seat: Int, process: Int)
    /// A reader waits for a message.
    case wish(Shard, MessageNumber)
    /// A reader asks for a screen that no style prepares.
    case screen(WantedTarget)
    /// An operator wants an edition to be served; at once, where the seed is hurried.
    case roll(EditionID)
}

/// A process that is started again after its end.
enum ProcessRole: Equatable {
    case coordinator
    case worker(Int)
    case helper(Int)
    case producer(Int)
    case reader(Int)
}
