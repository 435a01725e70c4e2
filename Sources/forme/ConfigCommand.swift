import Console
import JSON
import Settings

struct ConfigCommand: Command {
    let name = "config"
    let summary = "checks a configuration, or prints all of it"
    let usage = """
        usage: forme config check [OPTIONS]
               forme config print [OPTIONS]

        \(Place.usage)
          --workers N, --style FILE, --fonts FILE, --http HOST:PORT, --metrics HOST:PORT, --remotes HOST:PORT,
          --cluster NAME, --host NAME, --hosts NAME=HOST:PORT,…, --engine URL,…: as for serve

        check says nothing when all is well, and else what is wrong, with file, line and column: of the configuration, of the style,
        of the fonts, which have to have every face that the style asks for, of keys, tokens, certificate and cluster, of the folder (that this user can
        use it, that no newer release has it, that its journal is there; forme check reads all of it), and of the addresses: that no two are one,
        and, where no service has the folder, that they are of this machine and nobody else listens there. forme serve looks at the same before it starts
        anything. print shows what a service would be started with: the file, what it leaves out, and the
        options of the command before both.
        """

    func run(_ words: [String]) throws {
        let verbs = ["check", "print"]
        let arguments = try Arguments(
            words, of: name, operands: 1,
            options: Place.options + [
                StyleOption.name, FontOption.name, RemoteDoorOption.name, MetricsOption.name, "http", "workers",
            ] + ClusterOption.names)
        guard let verb = arguments.operands.first, verbs.contains(verb) else {
            throw arguments.refusal("config takes one of \(verbs.joined(separator: ", "))")
        }
        guard verb == "check" else { return print(try Place.configuration(arguments).json.indented()) }
        let check = try StartCheck(place: Place(arguments))
        _ = try check.files()
        try check.ports()
    }
}
