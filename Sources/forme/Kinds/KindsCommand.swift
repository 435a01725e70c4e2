import Console
import JSON
import MessageLayout

struct KindsCommand: Command {
    let name = "kinds"
    let summary = "lists the kinds of messages of a style, and what each may say"
    let usage = """
        usage: forme kinds [OPTIONS]
               forme kinds KIND [OPTIONS]

          --example            nothing but an example of the kind, as forme layout reads it
          --json               one JSON object a line for each kind
        \(StyleOption.usage)

        Each file of kinds beside a style is a kind: with its name its fields are listed, their types, and which have to be there.
        Names within objects and lists are written as reply.sender and options[].text.

        example: forme kinds poll --example | forme layout --target 375@3 --html poll.html
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: name, operands: 1, options: [StyleOption.name], switches: ["example", "json"])
        let style = try StyleOption.style(arguments)
        let kinds = style.templates.keys.sorted()
        let references = kinds.compactMap { style.templates[$0] }.map { KindReference($0, of: style) }
        guard let kind = arguments.operands.first else {
            guard !arguments.has("example") else {
                throw arguments.refusal("--example goes with a kind: \(kinds.prefix(3).joined(separator: ", ")), …")
            }
            if arguments.has("json") { return references.forEach { print(Self.json($0)) } }
            return print(Columns.aligned([KindReference.heading] + references.map(\.row), left: [0, 1, 2]))
        }
        guard let reference = references.first(where: { $0.template.kind == kind }) else {
            let near = Spelling.nearest(kind, among: kinds).map { "; did you mean \($0)?" }
            throw Failure(
                .usage, "\(style.name) has no kind '\(kind)'\(near ?? ". It has \(kinds.joined(separator: ", ")).")")
        }
        if arguments.has("json") { return print(Self.json(reference)) }
        print(arguments.has("example") ? reference.example : reference.text)
    }

    private static func json(_ reference: KindReference) -> String {
        var json = JSONWriter()
        reference.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
