import Console
import Foundation
import Operations
import Settings
import Transport

struct KeysCommand: Command {
    let name = "keys"
    let summary = "makes and shows keys, and says who may come in"
    let usage = """
        usage: forme keys make   --keys FOLDER                            all that forme serve needs
               forme keys make   --keys FOLDER --name NAME --role ROLE    a client's key, and its line in the list
               forme keys make   --key FILE --server KEY                  a client's key, where it is used
               forme keys show   --keys FOLDER | --key FILE               public keys; secret ones are never shown
               forme keys list   --keys FOLDER                            the keys that are admitted
               forme keys allow  --keys FOLDER --name NAME --role ROLE --public KEY
               forme keys forbid --keys FOLDER --name NAME
               forme keys rotate --keys FOLDER [--finish]
               forme keys trust  --key FILE --server KEY [--only]

          --keys FOLDER        server.key, gateway.key, worker.key, allowed.json5, and a file for each client that was made here
          --key FILE           the file of one client
          --role ROLE          producer: posts. worker: lays out. reader: fetches, and hears when layouts are ready.
                               operator: posts, fetches, and gives orders. gateway: what forme gateway shows.
                               host: another host of the same cluster

        make without a name makes the service's key, its gateway's, its workers', and the list of those who may come in. In a folder
        of an older version, which has no worker.key: forme keys make --keys FOLDER --name worker --role worker.

        Clients trust two keys: the service's, and the gateway's, which has a pair of its own, as it faces the outside (forme keys show
        prints both; files that are made in the folder have both, and that of a host only the service's). In a folder of
        an older version, make it once with forme keys make --keys FOLDER --name gateway --role gateway, have clients elsewhere trust
        it, and start the service again.

        KEY is of 40 characters; put it in single quotes. A running service reads the list again at SIGHUP.

        A service changes its key in two steps, as a socket has one. rotate makes the next key and prints it; clients learn to trust
        both (forme keys trust; files in the folder learn it at once) and are started again. rotate --finish puts the next key in
        the place of the old; the service takes it at its next start, and the clients change over by themselves.
        """

    func run(_ words: [String]) throws {
        guard let verb = words.first.flatMap({ Verb(rawValue: $0) }) else {
            let verbs = Verb.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.usage, "keys takes one of \(verbs). Read: forme help keys")
        }
        try KeyTask(verb, Array(words.dropFirst())).run()
    }

    fileprivate enum Verb: String, CaseIterable {
        case make, show, list, allow, forbid, rotate, trust
    }
}

private struct KeyTask {
    let verb: KeysCommand.Verb
    let arguments: Arguments

    init(_ verb: KeysCommand.Verb, _ words: [String]) throws {
        let (options, switches): ([String], [String]) =
            switch verb {
            case .make: (["keys", "key", "name", "role", "server"], [])
            case .show: (["keys", "key"], [])
            case .list: (["keys"], [])
            case .allow: (["keys", "name", "role", "public"], [])
            case .forbid: (["keys", "name"], [])
            case .rotate: (["keys"], ["finish"])
            case .trust: (["key", "server"], ["only"])
            }
        self.verb = verb
        arguments = try Arguments(words, of: "keys", options: options, switches: switches)
    }

    func run() throws {
        switch verb {
        case .make: try make()
        case .show: try show()
        case .list: try list()
        case .allow: try allow()
        case .forbid: try forbid()
        case .rotate: try rotate()
        case .trust: try trust()
        }
    }

    private func make() throws {
        let given = Set(["keys", "key", "name", "role", "server"].filter { arguments.text($0) != nil })
        if given.contains("server") || given == ["key"] {
            let made = KeyFile(path: try arguments.required("key"), pair: try KeyPair(), servers: [try key("server")])
            try made.write(replacing: false)
            note("made a key", ["file": .text(made.path), "key": .text("\(made.pair.publicKey)")])
            print("\(made.path): \(made.pair.publicKey)\nHave it allowed: forme keys allow --public KEY …")
        } else if !given.isSubset(of: ["keys"]) {
            let made = try folder().makeClient(Guest(name: name(), role: role()), at: arguments.text("key"))
            note(
                "made and allowed a key",
                [
                    "name": .text(try name()), "role": .text(try role().rawValue),
                    "key": .text("\(made.pair.publicKey)"),
                ])
            print("\(made.path): \(made.pair.publicKey)\nAllowed; a running service knows it after SIGHUP")
        } else {
            try folder().makeService()
            note("made the keys of a service")
            try show()
        }
    }

    private func show() throws {
        if let path = arguments.text("key") {
            let file = try KeyFile(reading: path)
            print("own     \(file.pair.publicKey)")
            for server in file.servers { print("server  \(server)") }
        } else {
            for (name, key) in try folder().named() {
                print(name.padding(toLength: 8, withPad: " ", startingAt: 0) + "\(key)")
            }
        }
    }

    private func list() throws {
        let rows = try AllowList(reading: folder().allowed).entries.map {
            [$0.guest.name, $0.guest.role.rawValue, "\($0.key)"]
        }
        if !rows.isEmpty { print(Columns.aligned(rows, left: [0, 1, 2])) }
    }

    private func allow() throws {
        let entry = AllowList.Entry(guest: Guest(name: try name(), role: try role()), key: try key("public"))
        var list = try AllowList(reading: folder().allowed)
        guard !list.entries.contains(where: { $0.key == entry.key }) else {
            throw Failure(.failed, "\(try folder().allowed) has that key already; see forme keys list")
        }
        try list.add(entry, in: folder().allowed)
        note(
            "allowed a key",
            [
                "name": .text(entry.guest.name), "role": .text(entry.guest.role.rawValue), "key": .text("\(entry.key)"),
            ])
    }

    private func forbid() throws {
        let name = try name()
        var list = try AllowList(reading: folder().allowed)
        guard list.entries.contains(where: { $0.guest.name == name }) else {
            throw Failure(.failed, "\(try folder().allowed) has no '\(name)'; see forme keys list")
        }
        try list.remove(name, in: folder().allowed)
        note("forbade a key", ["name": .text(name)])
    }

    private func rotate() throws {
        if arguments.has("finish") {
            let key = try folder().finishRotation()
            note("put the next key of a service in the place of the old", ["key": .text("\(key)")])
            print("server  \(key)\nStart the service again")
        } else {
            let key = try folder().beginRotation()
            note("made the next key of a service", ["key": .text("\(key)")])
            print(
                """
                next    \(key)
                Where clients keep their keys: forme keys trust --key FILE --server KEY, and start them again.
                Then here: forme keys rotate --finish, and start the service again
                """)
        }
    }

    private func trust() throws {
        var file = try KeyFile(reading: arguments.required("key"))
        let key = try key("server")
        file.servers = arguments.has("only") ? [key] : file.servers.filter { $0 != key } + [key]
        try file.write(replacing: true)
        note("trusts a service", ["file": .text(file.path), "key": .text("\(key)")])
    }

    /// Writes a line into the audit trail beside the files that were changed.
    private func note(_ deed: StaticString, _ fields: LogFields = [:]) {
        let file = arguments.text("key").map { URL(filePath: $0).deletingLastPathComponent().path }
        AuditTrail(in: arguments.text("keys") ?? file ?? ".").note(deed, fields)
    }

    private func folder() throws -> KeyFolder { KeyFolder(try arguments.required("keys")) }

    private func name() throws -> String {
        let name = try arguments.required("name")
        guard Guest.isName(name), !KeyFolder.reserved.contains(name) else {
            throw arguments.refusal(
                "--name takes \(Guest.nameRule), and not \(KeyFolder.reserved.joined(separator: " or ")); not '\(name)'"
            )
        }
        return name
    }

    private func role() throws -> KeyRole {
        let text = try arguments.required("role")
        guard let role = KeyRole(rawValue: text) else {
            let roles = KeyRole.allCases.map(\.rawValue).joined(separator: ", ")
            throw arguments.refusal("--role is one of \(roles), not '\(text)'")
        }
        return role
    }

    private func key(_ option: String) throws -> PublicKey {
        // The given text is not repeated: it may be the secret half.
        guard let key = PublicKey(try arguments.required(option)) else {
            throw arguments.refusal("--\(option) takes a public key of 40 characters, as forme keys show prints it")
        }
        return key
    }
}
