import Console
import Foundation
import JSON
import Storage

struct UpgradeCommand: Command {
    let name = "upgrade"
    let summary = "says in which formats a folder is written, and commits it to this release"
    let usage = """
        usage: forme upgrade [FOLDER] [--commit] [--json]

          FOLDER               the folder of journal and shards (default: ./forme-data)
          --commit             raises every format to its newest version: earlier releases refuse the folder at once, and
                               each file is written so as soon as a process opens it
          --json               one JSON object, instead of a table

        A release reads what earlier ones wrote. Into a folder that the previous one had, it writes what that one reads, so that the
        previous one may have it back, until the folder is committed. Commit when this release has run well for as long as you would have
        gone back, and when no process of an earlier one runs: those that are started afterwards refuse the folder, and leave it as it is.
        A process goes on with the files that it has open as it opened them; a start of the service opens all. A new folder is committed.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(words, of: name, operands: 1, switches: ["commit", "json"])
        let folder = DataFolder(URL(filePath: arguments.operands.first ?? "forme-data").path)
        let formats: FolderFormats
        if arguments.has("commit") {
            try folder.refuseRoot(to: name)
            guard let committed = try Failure.ofFiles({ try FolderUpgrade.commit(folder) }) else {
                throw Failure(
                    .failed,
                    "this release has not had \(folder.path) yet; start forme serve with it, and commit when it has run well"
                )
            }
            formats = committed
        } else {
            formats = try Failure.ofFiles { try FolderUpgrade.look(at: folder) }
        }
        print(arguments.has("json") ? formats.json : formats.table)
    }
}

extension FolderFormats {
    fileprivate var table: String {
        let rows = StoredFormat.all.map { format in
            [
                format.name,
                format.oldest == format.newest ? "\(format.newest)" : "\(format.oldest) to \(format.newest)",
                format.isKept ? "\(version(of: format))" : "", "\(format.newest)", format.subject,
            ]
        }
        let table = Columns.aligned([["format", "read", "written", "newest", ""]] + rows, left: [0, 4])
        let verdict =
            isCommitted
            ? "Committed: the newest of all is written."
            : "Not committed: what the previous release reads is written. To commit: forme upgrade --commit"
        return "\(table)\n\(verdict)"
    }

    fileprivate var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("committed")
            json.bool(isCommitted)
            json.key("formats")
            json.array { json in
                for format in StoredFormat.all {
                    json.object { json in
                        json.key("format")
                        json.string(format.name)
                        json.key("oldest")
                        json.integer(Int(format.oldest))
                        json.key("newest")
                        json.integer(Int(format.newest))
                        json.key("previous")
                        json.integer(Int(format.previous))
                        guard format.isKept else { return }
                        json.key("written")
                        json.integer(Int(version(of: format)))
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
