import Glibc
import Operations
import Pool
import Wire

/// The figures of a coordinator: the counts of its answers, and the state of itself, its workers and the disk when it
/// is asked for them.
struct CoordinatorFigures {
    private var figures = PoolFigures()

    /// - Parameter time: the time from the turn in which events were read to now, when they are answered.
    mutating func note(_ answers: [Judgement], after time: Duration) {
        for judgement in answers { figures.answers.count(judgement.answer) }
        figures.acknowledged.record(time, times: answers.count)
    }

    /// Takes the figures of layouts that workers of this host and of others made.
    mutating func note(_ layouts: LayoutFigures) { figures.layouts += layouts }

    /// - Parameters:
    ///   - folder: the folder of journal and cache.
    ///   - times: the times of the coordinator itself.
    func current(of dispatcher: Dispatcher, in folder: String, _ times: StageTimes) -> PoolFigures {
        var figures = dispatcher.completed(figures)
        figures.diskLeft = DiskLeft.bytes(at: folder)
        figures.processes = [.init(kind: "coordinator", of: getpid(), times)]
        let machine = try? Machine.name()
        for worker in dispatcher.status.workers {
            let id = worker.hello.process
            figures.processes.append(
                worker.hello.machine == machine
                    ? .init(kind: "worker", of: id, worker.times)
                    : .init(kind: "worker elsewhere", id: id, memory: nil, handles: nil, times: worker.times))
        }
        return figures
    }
}

extension PoolFigures.Process {
    fileprivate init(kind: String, of process: Int32, _ times: StageTimes) {
        let facts = ProcessFacts(of: process)
        self.init(kind: kind, id: process, memory: facts.memory, handles: facts.handles, times: times)
    }
}
