import FormeLayout
import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

/// The texts that are measured, and searched for links, to lay out a message.
private func measured(_ message: JSONValue, for targets: [Target], in style: StyleSheet) throws -> [String] {
    var texts: [String] = []
    func words(_ content: PlannedText.Content) -> String {
        switch content {
        case .plain(let text): text
        case .rich(let rich): String(decoding: rich.units, as: UTF16.self)
        }
    }
    var composer = Composer(style, targets: targets) { content, _, result in result = .monospaced(words(content)) }
    _ = try composer.layOut(JSONReader(message)) { content, _, result in
        texts.append(words(content))
        result = .monospaced(words(content))
    }
    return texts
}

@Test(arguments: Kinds.styles, Kinds.names)
func `a text is measured once, and its links looked for, however many screens it is laid out for`(
    style: String, kind: String
) throws {
    let style = try Kinds.style(style)
    #expect(style.targets.count > 10)
    for message in try Kinds.messages(kind).prefix(4) {
        let texts = try measured(message, for: Array(style.targets.prefix(1)), in: style)
        #expect(try measured(message, for: style.targets, in: style) == texts, "\(message)")
    }
}
