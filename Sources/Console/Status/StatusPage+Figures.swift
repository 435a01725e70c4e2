import JSON
import Wire

// Lines about measured figures.
extension StatusPage {
    /// Times of events until they are answered and readable; while the status is watched, those of the last moment
    /// alone.
    var times: String? {
        let told = [("acknowledged", "answered"), ("ready", "readable")].compactMap { key, word -> String? in
            guard let all = Latencies(status["figures"]?[key]) else { return nil }
            let recent = before.flatMap { Latencies($0.status["figures"]?[key]) }.map { all - $0 }
            let shown = recent.flatMap { $0.count > 0 ? $0 : nil } ?? all
            guard let half = shown.percentile(50), let most = shown.percentile(99) else { return nil }
            return "\(word) in \(milliseconds(half)) ms, 99 of 100 in \(milliseconds(most))"
        }
        return told.isEmpty ? nil : "events " + told.joined(separator: " · ")
    }

    /// Memory of processes, and room on the disk.
    var room: String? {
        let figures = status["figures"]
        let processes = figures?["processes"]?.array ?? []
        func memory(_ kind: String) -> Int {
            processes.filter { $0["kind"]?.string == kind }.reduce(0) {
                $0 + ($1["memory_bytes"]?.number?.integer ?? 0)
            }
        }
        let told = [("coordinator", "coordinator"), ("worker", "workers")].compactMap { kind, word in
            memory(kind) > 0 ? "\(word) \(memory(kind) >> 20) MB" : nil
        }
        let disk = figures?["disk_left_bytes"]?.number?.integer.map { "disk \($0 >> 30) GB left" }
        let all = [told.isEmpty ? nil : "memory " + told.joined(separator: ", "), disk].compactMap(\.self)
        return all.isEmpty ? nil : all.joined(separator: " · ")
    }

    private func milliseconds(_ microseconds: Int) -> String {
        microseconds < 10_000 ? "\(Double((microseconds + 50) / 100) / 10)" : "\((microseconds + 500) / 1000)"
    }
}
