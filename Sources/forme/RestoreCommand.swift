import Console
import Storage

struct RestoreCommand: Command {
    let name = "restore"
    let summary = "puts a backup in the place of what a folder has"
    let usage = """
        usage: forme restore FILE FOLDER [--json] [--quiet]

          FILE                 the file that forme backup made; or the folder that it made in former versions, and none of a service
          FOLDER               older, newer, empty or missing: its contents are replaced, except keys
          --json               one JSON object, instead of a line
        \(QuietOption.usage)

        Stop the service first, and run this as its user: root is refused in the folder of another one. All of FILE is looked
        over before anything is touched: a file that is short, damaged or of a newer version, a folder that is in use and a disk
        that is full are refused, and the folder stays as it was. Then the folder has what the backup has, and nothing else; the
        service lays all of it out again when it is started. Files of the shards that were there are put aside
        (shards/*/*.lost-TIME), and go after a day.
        """

    func run(_ words: [String]) throws {
        let (paths, arguments) = try Arguments.twoPaths(words, of: "restore", "FILE and FOLDER")
        let folder = DataFolder(paths[1])
        try folder.refuseRoot(to: name)
        let watch = LongWork("looked over", arguments)
        let contents = try Failure.ofFiles {
            try StorageRestore.restore(paths[0], to: folder) { watch.show($0, of: $1) }
        }
        watch.end()
        print(contents.text(of: paths[1], asJSON: arguments.has("json")))
    }
}
