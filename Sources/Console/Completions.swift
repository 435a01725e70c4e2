/// Scripts by which a shell offers words behind a program's name when somebody presses Tab.
package struct Completions {
    private let program: String
    private let manuals: [Manual]
    private let own: [(name: String, summary: String)]

    static let shells = ["bash", "zsh", "fish"]

    /// - Parameter own: words that the program itself understands.
    package init(program: String, manuals: [Manual], own: [(name: String, summary: String)]) {
        (self.program, self.manuals, self.own) = (program, manuals, own)
    }

    package func script(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private var names: [String] { manuals.map(\.name) + own.map(\.name) }
    private var identifier: String { program.replacing("-", with: "_") }

    /// Each option once, with its value and the text about it.
    private func options(_ manual: Manual) -> [(name: String, value: String?, text: String)] {
        var known: Set<String> = []
        return manual.entries.flatMap { entry in
            entry.options.compactMap { known.insert($0.name).inserted ? ($0.name, $0.value, entry.text) : nil }
        }
    }

    private var bash: String {
        var lines = [
            "# Completions of \(program) for bash, made by: \(program) completions bash",
            "_\(identifier)() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
            "    COMPREPLY=()",
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
            "        COMPREPLY=($(compgen -W '\(names.joined(separator: " ")) --help --version' -- \"$word\"))",
            "        return",
            "    fi",
            "    case ${COMP_WORDS[1]} in",
            "    help) COMPREPLY=($(compgen -W '\(manuals.map(\.name).joined(separator: " "))' -- \"$word\"));;",
            "    completions) COMPREPLY=($(compgen -W '\(Self.shells.joined(separator: " "))' -- \"$word\"));;",
        ]
        for manual in manuals {
            lines.append("    \(manual.name))")
            let valued = options(manual).filter { $0.value != nil }
            if !valued.isEmpty {
                lines.append("        case $before in")
                for option in valued {
                    let reply =
                        switch Manual.value(option.value!, in: option.text) {
                        case .file: "COMPREPLY=($(compgen -f -- \"$word\")); compopt -o filenames 2> /dev/null"
                        case .folder: "COMPREPLY=($(compgen -d -- \"$word\")); compopt -o filenames 2> /dev/null"
                        case .words(let words):
                            "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))"
                        case .any: ":"
                        }
                    lines.append("        --\(option.name)) \(reply); return;;")
                }
                lines.append("        esac")
            }
            let words = manual.verbs(of: program) + options(manual).map { "--\($0.name)" } + ["--help"]
            lines.append("        COMPREPLY=($(compgen -f -W '\(words.joined(separator: " "))' -- \"$word\"));;")
        }
        lines += ["    esac", "}", "complete -o filenames -F _\(identifier) \(program)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private var zsh: String {
        var lines = [
            "#compdef \(program)", "# Completions of \(program) for zsh, made by: \(program) completions zsh",
            "_\(identifier)() {", "    local -a commands", "    commands=(",
        ]
        let all = manuals.map { ($0.name, $0.summary) } + own.map { ($0.name, $0.summary) }
        lines += all.map { "        '\($0):\(Self.quoted($1))'" }
        lines += [
            "    )", "    if (( CURRENT == 2 )); then", "        _describe command commands", "        return",
            "    fi",
            "    local command=$words[2]", "    shift words", "    (( CURRENT-- ))", "    case $command in",
            "    help) _describe command commands;;",
            "    completions) _values shell \(Self.shells.joined(separator: " "));;",
        ]
        for manual in manuals {
            lines.append("    \(manual.name)) _arguments \\")
            for option in options(manual) {
                let text = Self.bracketed(option.text)
                let value = option.value.map { ":\($0):\(Self.zshAction(Manual.value($0, in: option.text)))" } ?? ""
                lines.append("        '*--\(option.name)[\(text)]\(value)' \\")
            }
            let verbs = manual.verbs(of: program)
            lines.append("        '--help[what it does]' \\")
            lines.append(
                verbs.isEmpty
                    ? "        '*:file:_files';;"
                    : "        '1:verb:(\(verbs.joined(separator: " ")))' '*:file:_files';;")
        }
        lines += ["    esac", "}", "compdef _\(identifier) \(program)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private var fish: String {
        let names = names.joined(separator: " ")
        var lines = ["# Completions of \(program) for fish, made by: \(program) completions fish"]
        let first = "not __fish_seen_subcommand_from \(names)"
        let all = manuals.map { ($0.name, $0.summary) } + own.map { ($0.name, $0.summary) }
        lines += all.map { "complete -c \(program) -f -n '\(first)' -a \($0) -d '\(Self.quoted($1))'" }
        lines.append(
            "complete -c \(program) -f -n '__fish_seen_subcommand_from completions' -a '\(Self.shells.joined(separator: " "))'"
        )
        lines.append(
            "complete -c \(program) -f -n '__fish_seen_subcommand_from help' -a '\(manuals.map(\.name).joined(separator: " "))'"
        )
        for manual in manuals {
            let here = "-n '__fish_seen_subcommand_from \(manual.name)'"
            for verb in manual.verbs(of: program) { lines.append("complete -c \(program) -f \(here) -a \(verb)") }
            for option in options(manual) {
                let value =
                    switch option.value.map({ Manual.value($0, in: option.text) }) {
                    case nil: "-f"
                    case .file, .any: "-r"
                    case .folder: "-x -a '(__fish_complete_directories)'"
                    case .words(let words): "-x -a '\(words.joined(separator: " "))'"
                    }
                lines.append(
                    "complete -c \(program) \(here) -l \(option.name) \(value) -d '\(Self.quoted(option.text))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func zshAction(_ value: Manual.Value) -> String {
        switch value {
        case .file: "_files"
        case .folder: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .any: ""
        }
    }

    /// A text that may stand between single quotes.
    private static func quoted(_ text: String) -> String { text.replacing("'", with: "’") }

    /// The same for a text between brackets.
    private static func bracketed(_ text: String) -> String {
        quoted(text).replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
    }
}
