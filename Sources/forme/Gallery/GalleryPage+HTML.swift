import Drawing
import Foundation
import JSON
import Secrets

extension GalleryPage {
    /// - Parameter fonts: the fonts that rows were measured with.
    func html(_ fonts: PageFonts, _ scheme: Scheme) -> String {
        let script = "const styles = \(styleList);\n\(GalleryPage.script)"
        // Only this script may run, whatever messages say.
        let hash = GalleryPage.hash(of: "\n\(script)\n")
        return """
            <!doctype html>
            <html lang="en" data-scheme="\(scheme)">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(ChatPage.policy); script-src 'sha256-\(hash)'">
            <title>Forme: a gallery of layouts</title>
            <style>
            \(ChatPage.looks(fonts))
            \(GalleryPage.style)
            </style>
            </head>
            <body>
            \(ChatPage.definitions)<form>
            \(choices(scheme))</form>
            <nav>\(contents)</nav>
            \(sections)
            <script type="text/plain" id="lines">\(pictures.lines.joined(separator: "\n"))</script>
            <script type="text/plain" id="drawings">\(pictures.pictures.joined(separator: "\n"))</script>
            <script>
            \(script)
            </script>
            </body>
            </html>

            """
    }

    private static func hash(of script: String) -> String {
        let hash = SHA256.hash(of: Array(script.utf8))
        return Data(hash.indices.map { hash[$0] }).base64EncodedString()
    }

    private var contents: String {
        kinds.enumerated().map { place, kind in
            let count = messages.count { $0.kind == kind }
            return "<a href=\"#kind\(place)\">\(Markup.escaped(kind))</a> <small>\(count)</small>"
        }.joined(separator: " ")
    }

    private var sections: String {
        var html = ""
        for (place, kind) in kinds.enumerated() {
            html += "<h2 id=\"kind\(place)\">\(Markup.escaped(kind))</h2>\n"
            if let note = notes[kind] { html += "<p class=\"note\">\(Markup.escaped(note))</p>\n" }
            for message in messages where message.kind == kind {
                let json = Markup.escaped(message.value.indented())
                let title = Markup.escaped(message.title)
                html += "<details><summary><code>\(title)</code></summary><pre>\(json)</pre></details>\n"
                html += message.layouts.joined()
            }
        }
        return html
    }

    private func choices(_ scheme: Scheme) -> String {
        let targets = styles.flatMap(\.targets).sorted { $0.points < $1.points }.map(\.name).withoutRepeats
        let usual = targets.filter { ["320@2", "375@3", "414@3", "640@1"].contains($0) }
        let variants = styles.flatMap(\.variants).withoutRepeats
        let marks = ["baselines", "entities", "regions", "facts"]
        return choice("style", styles.map(\.name), chosen: styles.map(\.name))
            + choice("target", targets, chosen: usual.isEmpty ? targets : usual)
            + choice("variant", variants, chosen: Array(variants.prefix(1)))
            + choice("state", ["collapsed", "expanded"], chosen: ["collapsed"])
            + choice("direction", ["ltr", "rtl"], chosen: ["ltr"])
            + choice("show", marks, chosen: ["facts"])
            + choice("scheme", Scheme.allCases.map(\.rawValue), chosen: [scheme.rawValue], isOne: true)
    }

    private func choice(_ name: String, _ values: [String], chosen: [String], isOne: Bool = false) -> String {
        let type = isOne ? "radio" : "checkbox"
        let boxes = values.map { value in
            let words = Markup.escaped(value)
            let checked = chosen.contains(value) ? " checked" : ""
            return "<label><input type=\"\(type)\" name=\"\(name)\" value=\"\(words)\"\(checked)>\(words)</label>"
        }
        return "<fieldset><legend>\(name)</legend>\(boxes.joined())</fieldset>\n"
    }

    /// The styles as data for the script.
    private var styleList: String {
        var json = JSONWriter()
        json.array { for style in styles { style.write(to: &$0) } }
        // A name must not end the script.
        return String(decoding: json.bytes, as: UTF8.self).split(separator: "<").joined(separator: "\\u003c")
    }
}

extension GalleryPage.Style {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("name")
            $0.string(name)
            $0.key("plain")
            $0.bool(isPlain)
            $0.key("variants")
            $0.array { for variant in variants { $0.string(variant) } }
            $0.key("targets")
            $0.array {
                for target in targets {
                    $0.object {
                        $0.key("name")
                        $0.string(target.name)
                        $0.key("width")
                        $0.decimal(target.points, places: 2)
                    }
                }
            }
        }
    }
}

extension GalleryPage.Message {
    /// The beginning of the message, as much as a heading holds.
    fileprivate var title: String {
        let text = value.indented(columns: .max)
        return text.count > 140 ? "\(text.prefix(140))…" : text
    }
}

extension [String] {
    fileprivate var withoutRepeats: [String] {
        var known: Set<String> = []
        return filter { known.insert($0).inserted }
    }
}
