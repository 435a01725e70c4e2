import Console
import Drawing
import FormeLayout
import Foundation
import JSON
import MessageLayout
import Shaping
import Typography
import Wire

struct LayoutCommand: Command {
    let name = "layout"
    let summary = "lays out one message: as JSON, as a drawing, or explained"
    let usage = """
        usage: forme layout [OPTIONS] < message.json

          --explain            how much each part was offered, asked for and got, and on what the layout depends
        \(PageOptions.usage)
          --workings           with them: baselines, rectangles of entities, and what can be touched
        \(LayoutOptions.usage)
        \(FontOption.usage)

        JSON is printed where nothing of this is asked for: one object for one --target, else an array. Numbers are device
        pixels, rectangles [left, top, width, height].

        example: echo '{"kind": "text", "text": "See you"}' | forme layout --target 375@3 --html see-you.html
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "layout", options: LayoutOptions.names + PageOptions.names + [FontOption.name],
            switches: PageOptions.switches + ["explain", "rtl", "workings"])
        try StandardInput.refuseFolder(insteadOf: "a file with a message")
        let (options, page) = (try LayoutOptions(arguments), try PageOptions(arguments))
        guard !page.isEmpty || !arguments.has("workings") else {
            throw arguments.refusal("--workings goes with --html or --svg")
        }
        let fonts = try FontOption.loader(arguments)()
        try StyleFiles.check(options.style, of: StyleOption.path(arguments), with: fonts.families)
        var engine = try LayoutEngine(style: options.style, fonts: fonts, targets: options.targets)
        let document = JSONDocument(
            name: "standard input", bytes: Array(try FileHandle.standardInput.readToEnd() ?? Data()), dialect: .json)
        if arguments.has("explain") {
            let edition = Edition(
                name: options.style.name, style: options.style, targets: options.targets,
                environment: LayoutEnvironment(fonts: fonts))
            let (key, explanations) = try document.read { (message) throws(JSONError) in
                (try LayoutKey(of: message, in: edition), try engine.explanations(of: message, options))
            }
            for explanation in explanations { print(explanation.text(key: key)) }
        }
        if !page.isEmpty {
            let showsWorkings = arguments.has("workings")
            let screens = try document.read { (message) throws(JSONError) in
                try engine.screens(of: message, options, showsWorkings: showsWorkings)
            }
            try page.write("A message of \(options.style.name)", screens, ListedFonts(fonts))
        }
        if !arguments.has("explain"), page.isEmpty {
            let sheet = try document.read { (message) throws(JSONError) in try engine.layOut(message) }
            print(try options.json(of: sheet))
        }
    }
}

extension LayoutEngine {
    fileprivate mutating func explanations(
        of message: JSONReader, _ options: LayoutOptions
    ) throws(JSONError) -> [Explanation] {
        var explanations: [Explanation] = []
        for target in options.targets.indices {
            explanations.append(
                try explain(message, target: target, variant: options.variant, isExpanded: options.isExpanded))
        }
        return explanations
    }

    /// A screen for each target.
    fileprivate mutating func screens(
        of message: JSONReader, _ options: LayoutOptions, showsWorkings: Bool
    ) throws(JSONError) -> [ChatPage.Screen] {
        let sheet = try layOut(message)
        let (said, kind) = (
            Said(body: message.value, milliseconds: Said.sampleTime), message.value["kind"]?.string ?? ""
        )
        return try options.targets.indices.map { (target) throws(JSONError) in
            let picture = try RowPicture(
                sheet, of: kind, in: options.style, said, target: target, variant: options.variant,
                state: options.state(of: sheet),
                showsWorkings: showsWorkings)
            return ChatPage.Screen("\(options.caption(of: target)) · \(picture.contentSize)", [picture])
        }
    }
}

extension LayoutOptions {
    /// The state to show. A sheet in which nothing can be expanded has one state only.
    fileprivate func state(of sheet: LayoutSheet) -> Int { isExpanded ? Int(sheet.stateCount) - 1 : 0 }

    fileprivate func caption(of target: Int) -> String {
        "\(targets[target].text) \(style.variants[variant])\(isExpanded ? " expanded" : "")"
    }

    /// One object for one target, else an array.
    fileprivate func json(of sheet: LayoutSheet) throws -> String {
        var json = JSONWriter()
        if isOneTarget {
            write(sheet, target: 0, to: &json)
        } else {
            json.array { for target in targets.indices { write(sheet, target: target, to: &$0) } }
        }
        return try JSONValue.parse(json.bytes).indented()
    }

    private func write(_ sheet: LayoutSheet, target: Int, to json: inout JSONWriter) {
        json.object {
            $0.key("target")
            $0.string(targets[target].text)
            $0.key("variant")
            $0.string(style.variants[variant])
            $0.key("state")
            $0.string(isExpanded ? "expanded" : "collapsed")
            sheet.model(target: target, variant: variant, state: state(of: sheet)).writeMembers(to: &$0)
        }
    }
}
