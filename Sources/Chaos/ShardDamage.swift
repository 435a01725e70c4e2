import Foundation
import Glibc
import Simulation

/// Damages or removes the file of a shard while it is in use.
enum ShardDamage {
    private static let page = 8192

    /// Damages the file of a random shard and returns its path; nil where there is no file, or the chosen one has no
    /// rows yet.
    static func strike(in folder: String, _ dice: inout Dice) -> String? {
        guard let path = file(in: folder, &dice), let file = FileHandle(forUpdatingAtPath: path),
            let size = try? file.seekToEnd(), size >= UInt64(page)
        else { return nil }
        let count = Int(size) / page
        let place = UInt64(Int.random(in: 0..<count, using: &dice) * page)
        do {
            if Bool.random(using: &dice) {
                let noise = (0..<page).map { _ in UInt8.random(in: 0 ... .max, using: &dice) }
                try write(noise, at: place, file)
            } else {
                // A few bytes that nothing but a checksum tells from others.
                let offset = UInt64(Int.random(in: page / 2..<page - 8, using: &dice))
                try write([0xDE, 0xAD, 0xBE, 0xEF], at: place + offset, file)
            }
        } catch {
            return nil
        }
        return path
    }

    /// Removes the file of a random shard and returns its path; nil where there is none.
    static func remove(in folder: String, _ dice: inout Dice) -> String? {
        guard let path = file(in: folder, &dice), unsafe unlink(path) == 0 else { return nil }
        return path
    }

    /// Marks a file as suspect, as a reader does that meets damage.
    static func leaveWord(of path: String) -> Bool {
        FileManager.default.createFile(
            atPath: path.replacing(/db$/, with: "suspect"), contents: nil, attributes: [.posixPermissions: 0o600])
    }

    private static func file(in folder: String, _ dice: inout Dice) -> String? {
        guard let walk = FileManager.default.enumerator(atPath: folder + "/shards") else { return nil }
        let names = walk.compactMap { $0 as? String }.filter { $0.hasSuffix(".db") }.sorted()
        return names.randomElement(using: &dice).map { "\(folder)/shards/\($0)" }
    }

    private static func write(_ bytes: [UInt8], at place: UInt64, _ file: FileHandle) throws {
        try file.seek(toOffset: place)
        try file.write(contentsOf: Data(bytes))
    }
}
