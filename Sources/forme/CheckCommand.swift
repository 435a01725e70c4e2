import Console
import Foundation
import JSON
import Storage

struct CheckCommand: Command {
    let name = "check"
    let summary = "looks over everything that is stored: files, checksums, and whether they agree"
    let usage = """
        usage: forme check [FOLDER] [--json] [--quiet]
               forme check FILE [--json] [--quiet]    a backup, every byte of it

          FOLDER               the folder of journal and shards (default: ./forme-data)
          --json               one JSON object a file, instead of a table
        \(QuietOption.usage)

        It may run while the service does, and changes nothing. Its exit code is 0 where all is well, and 74 where not: a service
        that runs, or is started, puts a damaged shard aside and lays it out again; a damaged journal is restored from a backup.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(words, of: name, operands: 1, switches: ["json", QuietOption.name])
        let path = URL(filePath: arguments.operands.first ?? "forme-data").path
        if FileManager.default.fileExists(atPath: path), !FileManager.default.isFolder(path) {
            let watch = LongWork("looked over", arguments)
            let contents = try StorageBackup.check(path) { watch.show($0, of: $1) }
            watch.end()
            return print(contents.text(of: path, asJSON: arguments.has("json")))
        }
        let files = try Failure.ofFiles { try StorageCheck.files(in: DataFolder(path)) }
        if arguments.has("json") {
            for file in files { print(file.json) }
        } else {
            print(CheckedFile.table(files))
        }
        let problems = files.reduce(0) { $0 + $1.problemCount }
        guard problems == 0 else {
            throw Failure(
                .inputOutput,
                "\(problems) things are wrong; the service mends shards when it runs, a journal is restored")
        }
    }
}

extension CheckedFile {
    fileprivate static func table(_ files: [CheckedFile]) -> String {
        let rows = files.map { file in
            [
                file.path, "\(file.count)", "\(file.bytes)",
                (file.problemCount == 0 ? "sound" : "\(file.problemCount) wrong")
                    + (file.unavailableCount == 0 ? "" : ", \(file.unavailableCount) gone with their content"),
            ]
        }
        let problems = files.flatMap { file in file.problems.map { "\(file.path): \($0)" } }
        let table = Columns.aligned([["file", "messages", "bytes", ""]] + rows, left: [0, 3])
        return ([table] + problems).joined(separator: "\n")
    }

    fileprivate var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("file")
            json.string(path)
            json.key("messages")
            json.integer(count)
            json.key("bytes")
            json.integer(bytes)
            json.key("problems")
            json.integer(problemCount)
            json.key("unavailable")
            json.integer(unavailableCount)
            json.key("first_problems")
            json.array { for problem in problems { $0.string(problem) } }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
