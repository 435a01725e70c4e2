import Foundation

/// The processes of a service, as the kernel counts them: processor time and memory.
package struct ProcessTable: Sendable {
    package struct Process: Equatable, Sendable {
        package var id: Int32
        /// The word after `forme`: coordinator, worker, gateway.
        package var role: String
    }

    private let find: @Sendable () -> [Process]
    private var last: [Int32: (time: RunTime, ticks: UInt64)] = [:]

    private static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
    private static let pageSize = UInt64(sysconf(Int32(_SC_PAGESIZE)))

    /// Those given, whatever they are called.
    package init(ids: [Int32]) {
        find = { ids.map { Process(id: $0, role: Self.words(of: $0).dropFirst().first ?? "process") } }
    }

    /// Those whose command line names the folder; asked anew each time, as processes may be restarted.
    package init(folder: String) {
        find = {
            let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return ids.compactMap { Int32($0) }.sorted().compactMap { id in
                guard id != ProcessInfo.processInfo.processIdentifier else { return nil }
                let words = Self.words(of: id)
                guard let place = words.firstIndex(of: "--data"), words.dropFirst(place + 1).first == folder,
                    words.count > 1
                else { return nil }
                return Process(id: id, role: words[1])
            }
        }
    }

    /// This process itself, which costs the service what it takes.
    private static let own = Process(id: ProcessInfo.processInfo.processIdentifier, role: "flood")

    package mutating func sample(at now: RunTime) -> ProcessSample {
        var usages: [ProcessSample.Usage] = []
        for process in find() + [Self.own] {
            guard let ticks = Self.ticks(of: process.id) else { continue }
            let before = last[process.id]
            last[process.id] = (now, ticks)
            let passed = before.map { Double(now.nanoseconds(since: $0.time)) / 1e9 } ?? 0
            // A number that was given to another process begins anew.
            let used = before.map { ticks > $0.ticks ? ticks - $0.ticks : 0 } ?? 0
            let share = passed > 0 ? Double(used) / Self.ticksPerSecond / passed : 0
            usages.append(
                ProcessSample.Usage(process: process, processors: share, memory: Self.memory(of: process.id)))
        }
        return ProcessSample(time: now, usages: usages)
    }

    private static func words(of id: Int32) -> [String] {
        guard let line = try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8) else { return [] }
        return line.split(separator: "\0").map(String.init)
    }

    /// Of user and kernel, from behind the name, which may hold anything.
    private static func ticks(of id: Int32) -> UInt64? {
        guard let line = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let end = line.lastIndex(of: ")")
        else { return nil }
        let fields = line[end...].split(separator: " ")
        guard fields.count > 13, let user = UInt64(fields[12]), let kernel = UInt64(fields[13]) else { return nil }
        return user + kernel
    }

    private static func memory(of id: Int32) -> UInt64 {
        guard let line = try? String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8) else { return 0 }
        let fields = line.split(separator: " ")
        return fields.count > 1 ? (UInt64(fields[1]) ?? 0) * pageSize : 0
    }
}

/// What the processes of a service took since the sample before.
package struct ProcessSample: Sendable {
    package struct Usage: Sendable {
        package var process: ProcessTable.Process
        /// 1 is one processor, the whole time.
        package var processors: Double
        /// Resident, in bytes.
        package var memory: UInt64
    }

    package var time: RunTime
    package var usages: [Usage]
}
