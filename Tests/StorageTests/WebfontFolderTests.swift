import Foundation
import Storage
import TestSupport
import Testing

private let face = WebfontFolder.Face(hash: String(repeating: "a", count: 64), index: 2)

private func slice(_ letter: Character, bytes: Int) -> WebfontFolder.Slice {
    WebfontFolder.Slice(hash: String(repeating: letter, count: 64), bytes: bytes, characters: "U+20-7E,U+4E00")
}

@Test func `a face is offered once all of its slices are made, and who goes on finds those that are`() throws {
    let place = try TemporaryFolder()
    let folder = WebfontFolder(DataFolder(place.path), plan: 1)
    #expect(try folder.slices(of: face).made.isEmpty && folder.allSlices(of: face) == nil)
    let (first, second) = (slice("b", bytes: 3), slice("c", bytes: 2))
    try folder.keep([1, 2, 3], [first], of: 2, for: face)
    #expect(try folder.slices(of: face) == ([first], 2))
    #expect(try folder.allSlices(of: face) == nil)
    #expect(folder.has(first) && !folder.has(second))
    try folder.keep([4, 5], [first, second], of: 2, for: face)
    #expect(try folder.allSlices(of: face) == [first, second])
    #expect(FileManager.default.contents(atPath: folder.file(second.hash)) == Data([4, 5]))
    // Another plan cuts otherwise.
    #expect(try WebfontFolder(DataFolder(place.path), plan: 2).allSlices(of: face) == nil)
}

@Test func `what no listed face has is removed`() throws {
    let place = try TemporaryFolder()
    let folder = WebfontFolder(DataFolder(place.path), plan: 1)
    let other = WebfontFolder.Face(hash: String(repeating: "d", count: 64), index: 0)
    try folder.removeAll(but: [face])
    try folder.keep([1], [slice("b", bytes: 1)], of: 1, for: face)
    try folder.keep([2], [slice("c", bytes: 1)], of: 1, for: other)
    try Data().write(to: URL(filePath: folder.file("draft")))
    try folder.removeAll(but: [face])
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.file("fonts")).count == 2)
    #expect(try folder.allSlices(of: face) != nil && folder.allSlices(of: other) == nil)
}

@Test(arguments: [
    "", "x", "forme-webfonts-1 -1\n", "forme-webfonts-1 9999\n", "forme-webfonts-1 1\nabc 1 U+20\n",
    "forme-webfonts-2 1\n",
])
func `a list that is damaged is none`(text: String) throws {
    let place = try TemporaryFolder()
    let folder = WebfontFolder(DataFolder(place.path), plan: 1)
    try folder.keep([1], [slice("b", bytes: 1)], of: 1, for: face)
    let list = try #require(
        FileManager.default.contentsOfDirectory(atPath: place.file("fonts")).first { $0.hasSuffix(".slices") })
    try text.write(toFile: place.file("fonts/" + list), atomically: true, encoding: .utf8)
    #expect(try folder.allSlices(of: face) == nil)
}

@Test func `one makes fonts in a folder, and another who comes meanwhile makes none`() throws {
    let place = try TemporaryFolder()
    let folder = WebfontFolder(DataFolder(place.path), plan: 1)
    var (isSecondDone, isSecondRun) = (true, false)
    let isFirstDone = try folder.alone {
        isSecondDone = try WebfontFolder(DataFolder(place.path), plan: 1).alone { isSecondRun = true }
    }
    #expect(isFirstDone && !isSecondDone && !isSecondRun)
    #expect(try folder.alone {})
}
