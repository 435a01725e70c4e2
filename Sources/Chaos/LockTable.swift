import Foundation
import Glibc

/// Holders of the locks of shards just now, by the kernel's own account.
enum LockTable {
    /// Stops a process while it holds the lock of one of the shards: it is stopped again and again, each time for an
    /// instant, until it is caught with one. False when it never was.
    static func stop(_ process: Int32, inTransactionIn folder: String, tries: Int = 200) -> Bool {
        let locks = files(in: folder)
        for _ in 0..<tries {
            guard kill(process, SIGSTOP) == 0 else { return false }
            // Threads on other processors take an instant to stop.
            _ = poll(nil, 0, 1)
            if isHolding(process, locks) { return true }
            kill(process, SIGCONT)
            _ = poll(nil, 0, 1)
        }
        return false
    }

    /// The worker that examines a file at the moment; nil where none does for a while.
    static func examiner(of path: String) -> Int32? {
        let word = path.replacing(/db$/, with: "examined")
        for _ in 0..<200 {
            var facts = stat()
            if unsafe stat(word, &facts) == 0,
                let holder = holders().first(where: { $0.file == UInt64(facts.st_ino) })
            {
                return holder.process
            }
            _ = poll(nil, 0, 1)
        }
        return nil
    }

    /// The inodes of the lock files of all shards.
    private static func files(in folder: String) -> Set<UInt64> {
        guard let walk = FileManager.default.enumerator(atPath: folder + "/shards") else { return [] }
        var numbers: Set<UInt64> = []
        for case let name as String in walk where name.hasSuffix(".lock") {
            var facts = stat()
            if unsafe stat("\(folder)/shards/\(name)", &facts) == 0 { numbers.insert(UInt64(facts.st_ino)) }
        }
        return numbers
    }

    private static func isHolding(_ process: Int32, _ locks: Set<UInt64>) -> Bool {
        holders().contains { $0.process == process && locks.contains($0.file) }
    }

    /// The holders of all locks. A line is `1: FLOCK  ADVISORY  WRITE 1234 fd:00:5678 0 EOF`, with the process and
    /// the inode of the file.
    private static func holders() -> [(process: Int32, file: UInt64)] {
        guard let table = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
        return table.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", let process = Int32(words[4]),
                let number = words[5].split(separator: ":").last.flatMap({ UInt64($0) })
            else { return nil }
            return (process, number)
        }
    }
}
