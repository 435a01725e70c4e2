import Testing
import Typography

@testable import Shaping

@Test(arguments: [
    ("😀", 1), ("😀😀 😀", 3), ("👨‍👩‍👧‍👦", 1), ("🇩🇪🇫🇷", 2), ("👍🏽\n❤️", 2), ("1️⃣", 1),
    ("❤", 0), ("ok 👍", 0), ("12", 0), ("", 0), (" ", 0),
])
func `messages of nothing but emoji are counted`(text: String, count: Int32) throws {
    var shaper = try PinnedFonts.shaper()
    #expect(shaper.measure(text).emojiCount == count)
}

@Test func `entities are found in any script`() throws {
    var shaper = try PinnedFonts.shaper()
    let found = shaper.measure("שלום https://example.com/א 👋 @anna").entities
    #expect(found.map(\.kind) == [.url, .mention])
}
