import Foundation

/// The processes of a service with their processor time and memory, as the kernel counts them.
package struct ProcessTable: Sendable {
    package struct Process: Equatable, Sendable {
        package var id: Int32
        /// The word after `forme`: coordinator, worker, gateway.
        package var role: String
    }

    private let find: @Sendable () -> [Process]
    private var last: [Int32: (time: RunTime, ticks: UInt64)] = [:]

    private var known: [Process] = []
    private var samplesUntilLook = 0

    private static let samplesPerLook = 5
    private static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
    private static let pageSize = UInt64(sysconf(Int32(_SC_PAGESIZE)))

    /// A table of given processes, whatever their names.
    package init(ids: [Int32]) {
        find = { ids.map { Process(id: $0, role: Self.words(of: $0).dropFirst().first ?? "process") } }
    }

    /// A table of the processes that have a file of the folder open, or were told to use it. They are looked for
    /// again now and then, as processes may be restarted.
    package init(folder: String) {
        find = {
            let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return ids.compactMap { Int32($0) }.sorted().compactMap { id in
                guard id != Self.own.id else { return nil }
                let words = Self.words(of: id)
                // A program that runs another one has the other's words behind its own.
                guard words.count > 1, words[1].allSatisfy(\.isLetter),
                    Self.names(folder, words, id) || Self.hasOpen(folder, id)
                else { return nil }
                return Process(id: id, role: words[1])
            }
        }
    }

    private static func names(_ folder: String, _ words: [String], _ id: Int32) -> Bool {
        guard let place = words.firstIndex(of: "--data"), place + 1 < words.count,
            let start = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/cwd")
        else { return false }
        return URL(filePath: words[place + 1], relativeTo: URL(filePath: start + "/")).path == folder
    }

    private static func hasOpen(_ folder: String, _ id: Int32) -> Bool {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")) ?? []
        return files.contains { file in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/fd/\(file)")
            return path?.hasPrefix(folder + "/") ?? false
        }
    }

    /// This process itself, whose processor time the service cannot have.
    static let own = Process(id: ProcessInfo.processInfo.processIdentifier, role: "flood")

    package mutating func sample(at now: RunTime) -> ProcessSample {
        var usages: [ProcessSample.Usage] = []
        if samplesUntilLook == 0 { (known, samplesUntilLook) = (find(), Self.samplesPerLook) }
        samplesUntilLook -= 1
        for process in known + [Self.own] {
            guard let ticks = Self.ticks(of: process.id) else { continue }
            let before = last[process.id]
            last[process.id] = (now, ticks)
            let passed = before.map { Double(now.nanoseconds(since: $0.time)) / 1e9 } ?? 0
            // Another process may have got the number of one that ended; its count begins anew.
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

    /// Ticks of user and kernel. They are read from behind the name, which may hold anything.
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

/// The processor time and memory of a service's processes since the sample before.
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
