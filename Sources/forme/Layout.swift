import Console
import Drawing
import FormeLayout
import Foundation
import JSON
import MessageLayout
import Shaping
import Typography
import Wire

extension Command {
    static let layout = Command(
        name: "layout",
        summary: "lays out one message: as JSON, as a drawing, or explained",
        usage: """
            usage: forme layout [OPTIONS] < message.json

              --explain            what each part was offered, asked for and got, and what the layout depends on
              --svg FILE           draw it into FILE, or with - to standard output
            \(LayoutOptions.usage)
            \(FontOption.usage)

            JSON is printed where neither is asked for: one object for one --target, else an array. Numbers are device pixels,
            rectangles [left, top, width, height].
            """
    ) { words in
        let arguments = try Arguments(
            words, of: "layout", options: LayoutOptions.names + [FontOption.name, "svg"], switches: ["explain", "rtl"])
        let options = try LayoutOptions(arguments)
        let fonts = try FontOption.loader(arguments)()
        try StyleFiles.check(options.style, of: StyleOption.path(arguments), with: fonts.families)
        var engine = try LayoutEngine(style: options.style, fonts: fonts, targets: options.targets)
        let document = JSONDocument(
            name: "standard input", bytes: Array(FileHandle.standardInput.readDataToEndOfFile()), dialect: .json)
        if arguments.has("explain") {
            let edition = Edition(
                name: options.style.name, style: options.style, targets: options.targets,
                environment: LayoutEnvironment(fonts: fonts))
            let (key, explanations) = try document.read { (message) throws(JSONError) in
                (try LayoutKey(of: message, in: edition), try engine.explanations(of: message, options))
            }
            for explanation in explanations { print(explanation.text(key: key)) }
        }
        if let path = arguments.text("svg") {
            let picture = try document.read { (message) throws(JSONError) in try engine.picture(of: message, options) }
            try OutputFile.write(picture, to: path)
        }
        if !arguments.has("explain"), arguments.text("svg") == nil {
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

    fileprivate mutating func picture(of message: JSONReader, _ options: LayoutOptions) throws(JSONError) -> String {
        let sheet = try layOut(message)
        let texts = try shownTexts(of: message, in: sheet.skeleton)
        let pictures = options.targets.indices.map { target in
            let model = options.model(of: sheet, target: target)
            return (options.caption(of: target), Picture(model, texts, on: options.targets[target]))
        }
        return Picture.page(pictures)
    }
}

extension LayoutOptions {
    /// Where nothing can be expanded, one state says it.
    func model(of sheet: LayoutSheet, target: Int) -> LayoutModel {
        sheet.model(target: target, variant: variant, state: isExpanded ? Int(sheet.stateCount) - 1 : 0)
    }

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
            model(of: sheet, target: target).writeMembers(to: &$0)
        }
    }
}
