import FormeLayout
import JSON
import MessageLayout
import Shaping
import TestSupport
import Testing
import Typography
import Wire

private func layouter(_ style: String = "bubble", _ fonts: FontList? = nil) throws -> RowLayouter {
    try RowLayouter(style: Kinds.style(style), fonts: fonts ?? Kinds.fontList())
}

@Test func `two workers of one build know each other as equal, whatever they have laid out before`() throws {
    var fresh = try layouter()
    let facts = fresh.engineFacts()
    for name in ["engine rules", "HarfBuzz", "ICU", "Unicode data", "architecture", "probe rows"] {
        #expect(facts[name]?.isEmpty == false, "\(name)")
    }
    // This layouter has every cache warm, with other texts and with these.
    var used = try layouter()
    for kind in Kinds.names {
        for text in try Kinds.texts(kind) {
            let message = try CheckedMessage(JSONReader(JSONValue.parse(text)), of: used.edition.style)
            _ = try used.row(of: message)
        }
    }
    #expect(used.engineFacts() == facts && used.engineFacts() == facts)
    #expect(facts.difference(from: used.engineFacts()) == nil)
}

@Test func `probe rows notice what changes a layout`() throws {
    var one = try layouter("bubble")
    var other = try layouter("flat")
    #expect(one.engineFacts()["probe rows"] != other.engineFacts()["probe rows"])
    // As if one family were measured otherwise.
    let families = try Kinds.fontList().families
    let poorer = try FontList(families.filter { !$0.isEmoji })
    var third = try layouter("bubble", poorer)
    #expect(one.engineFacts()["probe rows"] != third.engineFacts()["probe rows"])
}

@Test func `what is known before anything is laid out agrees with what is known after`() throws {
    var layouter = try layouter()
    #expect(EngineFacts.ofLibraries.difference(from: layouter.engineFacts()) == nil)
}
