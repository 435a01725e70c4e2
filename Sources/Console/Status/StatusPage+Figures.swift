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

    /// The share of long work that is done, and the time that the rest takes; nil where nothing is known of it. All of
    /// it is done only where nothing is left.
    func share(_ work: JSONValue?) -> String? {
        guard let done = work?["done"]?.number?.double else { return nil }
        let percent = done < 1 ? min(99, Int(done * 100 + 1e-6)) : 100
        let left = work?["left_s"]?.number?.integer.flatMap { done < 1 ? " · \(Self.time($0)) left" : nil }
        return "\(percent) %" + (left ?? "")
    }

    private static func time(_ seconds: Int) -> String {
        switch seconds {
        case ..<90: "\(seconds) s"
        case ..<5400: "\((seconds + 30) / 60) min"
        case ..<172_800: "\((seconds + 1800) / 3600) h"
        default: "\((seconds + 43_200) / 86_400) days"
        }
    }

    private func milliseconds(_ microseconds: Int) -> String {
        microseconds < 10_000 ? "\(Double((microseconds + 50) / 100) / 10)" : "\((microseconds + 500) / 1000)"
    }
}
