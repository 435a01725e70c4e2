import Foundation
import Shaping

/// What fonts and caches hold in memory after all texts went through one shaper.
struct BenchMemory {
    var files: [File] = []
    let shaper: ShaperMemory
    /// How much larger the process was than before it opened the fonts; what is mapped counts where it was touched.
    let residentGrowth: Int

    struct File {
        let path: String
        let mapped: Int
        /// Of these, in memory now; the kernel may take them back.
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

    /// The kernel tells for each mapping, behind its path, how much of it is in memory.
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

    /// Files of the kernel say that they are empty, so they are read to their end.
    private static func ofProcess(_ name: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/\(name)"))
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}
