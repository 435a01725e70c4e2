package import FormeClientZMQ
package import JSON
import Pool
package import Transport

/// The processor time of a service, from its coordinator: microseconds by process and stage since they started.
package struct ServiceTimes: Equatable, Sendable {
    package struct Process: Equatable, Sendable {
        package var name: String
        package var events: Int
        package var stages: [Stage]
    }

    package struct Stage: Equatable, Sendable {
        package var name: String
        package var microseconds: Int
    }

    package var processes: [Process] = []

    package init() {}

    /// Asks the coordinator; empty where nobody answers.
    package init(askedAt endpoint: String, _ access: Access) throws(ClientError) {
        self.init()
        let client = try OperatorClient(endpoint, access: access)
        do throws(ClientError) {
            let (_, answer) = try client.ask(.status, within: .seconds(2))
            self = ServiceTimes(answer["status"] ?? .null)
        } catch .noAnswer {
            return
        }
    }

    package init(_ status: JSONValue) {
        self.init()
        if let coordinator = status["coordinator"] { processes.append(Process("coordinator", coordinator)) }
        for worker in status["workers"]?.array ?? [] {
            processes.append(Process("worker \(worker["process"]?.number?.integer ?? 0)", worker))
        }
    }

    /// The times that were added since an earlier answer, for processes that were there then.
    package func since(_ before: ServiceTimes) -> ServiceTimes {
        var times = self
        times.processes = processes.compactMap { process in
            guard let earlier = before.processes.first(where: { $0.name == process.name }) else { return nil }
            var process = process
            process.events -= earlier.events
            for (place, stage) in process.stages.enumerated() {
                let known = earlier.stages.first { $0.name == stage.name }
                process.stages[place].microseconds -= known?.microseconds ?? 0
            }
            return process
        }
        return times
    }
}

extension ServiceTimes.Process {
    fileprivate init(_ name: String, _ status: JSONValue) {
        self.name = name
        events = status["events"]?.number?.integer ?? 0
        stages = (status["microseconds"]?.object?.members ?? []).map {
            ServiceTimes.Stage(name: $0.key, microseconds: $0.value.number?.integer ?? 0)
        }
    }
}
