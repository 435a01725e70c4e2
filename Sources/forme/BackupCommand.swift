import Console
import Foundation
import JSON
import Storage

struct BackupCommand: Command {
    let name = "backup"
    let summary = "copies all of a folder that cannot be made again into one file, while it is in use"
    let usage = """
        usage: forme backup FOLDER FILE [--json] [--quiet]

          FOLDER               the folder of journal and shards
          FILE                 the backup, outside of FOLDER: made; or, where a backup is there, replaced when the new one is whole
                               and on the disk. Any other file stays as it is
          --json               one JSON object, instead of a line
        \(QuietOption.usage)

        It has the journal as it is at one moment, with the shelf and added screens, the manifest, which edition is served, and
        the editions that are kept. It has no keys, which are kept elsewhere, and no rows: they are laid out again, as long as
        the content of their messages is retained (retention.content). A journal that is damaged is not copied, and the backup
        that was there stays. Look at one with forme check FILE; bring it back with forme restore FILE FOLDER. As often as a
        cron job likes, also while the service runs:

          0 * * * *  forme backup /var/lib/forme /backup/forme.backup
        """

    func run(_ words: [String]) throws {
        let (paths, arguments) = try Arguments.twoPaths(words, of: "backup", "FOLDER and FILE")
        if FileManager.default.isFolder(paths[1]) {
            throw arguments.refusal(
                "\(paths[1]) is a folder; name the file, such as \(paths[1])/forme.backup")
        }
        let folder = DataFolder(paths[0])
        let watch = LongWork("copied", arguments)
        let contents = try Failure.ofFiles {
            try StorageBackup.checkTarget(paths[1], of: folder)
            return try StorageBackup.make(of: folder, into: paths[1]) { watch.show($0, of: $1) }
        }
        watch.end()
        print(contents.text(of: paths[1], asJSON: arguments.has("json")))
    }
}

extension Arguments {
    /// Two paths, made absolute, as backup and restore take them.
    static func twoPaths(_ words: [String], of command: String, _ names: String) throws -> ([String], Arguments) {
        let arguments = try Arguments(words, of: command, operands: 2, switches: ["json", QuietOption.name])
        guard arguments.operands.count == 2 else { throw arguments.refusal("\(names) are needed") }
        return (arguments.operands.map { URL(filePath: $0).path }, arguments)
    }
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
