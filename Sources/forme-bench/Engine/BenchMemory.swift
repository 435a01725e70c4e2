import Foundation
import Shaping

/// The memory of fonts and caches after all texts went through one shaper.
struct BenchMemory {
    var files: [File] = []
    let shaper: ShaperMemory
    /// The growth of the process since before it opened the fonts; touched pages of mapped files count.
    let residentGrowth: Int

    struct File {
        let path: String
        let mapped: Int
        /// Bytes of these that are in memory now; the kernel may take them back.
        var resident = 0
    }

    static func measure(_ texts: [String], _ fonts: () throws -> FontList) throws -> BenchMemory {
        let before = try residentBytes()
        let list = try fonts()
        var shaper = try Shaper(fonts: list)
        for text in texts { _ = shaper.measure(text) }
        var memory = BenchMemory(shaper: shaper.memory, residentGrowth: try residentBytes() - before)
        for face in list.faces where !memory.files.contains(where: { $0.path == face.path }) {
            memory.files.append(File(path: face.path, mapped: face.mappedBytes))
        }
        try withExtendedLifetime(list) { try memory.findResident() }
        return memory
    }

    /// Finds how much of each mapping is in memory; the kernel lists that behind the path.
    private mutating func findResident() throws {
        let resolved = files.map { URL(filePath: $0.path).resolvingSymlinksInPath().path }
        var current: Int?
        for line in try BenchMemory.ofProcess("smaps").split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5)
            if words[0].contains("-") {
                current = words.count > 5 ? resolved.firstIndex(of: words[5].trimmingCharacters(in: .whitespaces)) : nil
            } else if let current, words[0] == "Rss:" {
                files[current].resident += 1024 * (Int(words[1]) ?? 0)
            }
        }
    }

    private static func residentBytes() throws -> Int {
        let pages = try ofProcess("statm").split(separator: " ")
        return (Int(pages[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Reads a file of the kernel to its end, as its size is said to be 0.
    private static func ofProcess(_ name: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/\(name)"))
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}
