import Console
import Foundation
import JSON
import Storage

extension Command {
    static let backup = Command(
        name: "backup",
        summary: "copies all of a folder that cannot be made again into one file, while it is in use",
        usage: """
            usage: forme backup FOLDER FILE [--json]

              FOLDER               the folder of journal and shards
              FILE                 the backup: made, or replaced when the new one is whole and on the disk
              --json               one JSON object, instead of a line

            It has the journal as it is at one moment, with the shelf and added screens, the manifest, which edition is served, and
            the editions that are kept. It has no keys, which are kept elsewhere, and no shards, which are laid out again. A journal
            that is damaged is not copied, and the backup that was there stays. Look at one with forme check FILE; bring it back with
            forme restore FILE FOLDER. As often as a cron job likes, also while the service runs:

              0 * * * *  forme backup /var/lib/forme /backup/forme.backup
            """
    ) { words in
        let (paths, arguments) = try twoPaths(words, of: "backup", "FOLDER and FILE")
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: paths[1], isDirectory: &isFolder),
            isFolder.boolValue
        {
            throw arguments.refusal(
                "\(paths[1]) is a folder; name the file, such as \(paths[1])/forme.backup")
        }
        let watch = LongWork("copied")
        let contents = try StorageBackup.make(of: DataFolder(paths[0]), into: paths[1]) {
            watch.show($0, of: $1)
        }
        watch.end()
        print(contents.text(of: paths[1], asJSON: arguments.has("json")))
    }

    static let restore = Command(
        name: "restore",
        summary: "puts a backup in the place of what a folder has",
        usage: """
            usage: forme restore FILE FOLDER [--json]

              FILE                 what forme backup made; or the folder that it made in former versions
              FOLDER               older, newer, empty or missing: what it has is replaced, except keys
              --json               one JSON object, instead of a line

            Stop the service first. All of FILE is looked over before anything is touched: a file that is short, damaged or of a newer
            version, a folder that is in use and a disk that is full are refused, and the folder stays as it was. Then the folder
            has what the backup has, and nothing else; the service lays all of it out again when it is started. Files of the shards that
            were there are put aside (shards/*/*.lost-TIME), and go after a day.
            """
    ) { words in
        let (paths, arguments) = try twoPaths(words, of: "restore", "FILE and FOLDER")
        let watch = LongWork("looked over")
        let contents = try StorageRestore.restore(paths[0], to: DataFolder(paths[1])) {
            watch.show($0, of: $1)
        }
        watch.end()
        print(contents.text(of: paths[1], asJSON: arguments.has("json")))
    }
}

private func twoPaths(_ words: [String], of command: String, _ names: String) throws -> (
    [String], Arguments
) {
    let (paths, rest) = Arguments.leading(words, atMost: 2)
    let arguments = try Arguments(rest, of: command, switches: ["json"])
    guard paths.count == 2 else { throw arguments.refusal("\(names) are needed") }
    return (paths.map { URL(filePath: $0).path }, arguments)
}

extension StorageBackup.Contents {
    func text(of path: String, asJSON: Bool) -> String {
        guard asJSON else {
            let aside = asides == 0 ? "" : ", \(asides) shards put aside for a day"
            return "\(path): \(bytes) bytes, \(entries) entries, term \(term)\(aside)"
        }
        var json = JSONWriter()
        json.object { json in
            json.key("path")
            json.string(path)
            json.key("bytes")
            json.integer(bytes)
            json.key("files")
            json.integer(parts)
            json.key("entries")
            json.integer(entries)
            json.key("term")
            json.integer(term)
            json.key("put_aside")
            json.integer(asides)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// Shows how far something is that takes more than a second.
final class LongWork {
    private let bar = ProgressBar()
    private let words: String
    private var next = ContinuousClock.now + .seconds(1)
    private var isShown = false

    init(_ words: String) { self.words = words }

    func show(_ done: UInt64, of whole: UInt64) {
        guard .now >= next else { return }
        next = .now + .milliseconds(bar.isTerminal ? 100 : 1000)
        isShown = true
        bar.show(done, of: max(whole, 1), words, since: 0)
    }

    func end() { if isShown { bar.end() } }
}
