import FormeLayout
import Foundation
import Shaping
import TestSupport
import Testing

/// The BLAKE2b of "abc".
private let abc = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"

@Test func `a file is known by the hash of its bytes, and not read again while nothing shows that it changed`() throws {
    let place = try Place()
    #expect(try place.identity() == abc)
    // Other bytes of the same length and time, in the same file: only a reader would notice.
    try place.overwrite("abd", keepingTime: true)
    #expect(try place.identity() == abc)
    try place.overwrite("abc", keepingTime: false)
    #expect(try place.identity() == abc)
    try place.overwrite("abd", keepingTime: false)
    #expect(try place.identity() != abc)
}

@Test func `a file that took the place of another is read, though it has the same size and time`() throws {
    let place = try Place()
    #expect(try place.identity() == abc)
    let time = try place.time()
    try FileManager.default.moveItem(atPath: place.font, toPath: place.font + ".old")
    try Data("abd".utf8).write(to: URL(filePath: place.font))
    try place.set(time)
    #expect(try place.identity() != abc)
}

@Test(arguments: ["", "forme-fonts-1 \n", "\u{0}\u{ff}", "forme-fonts-1 0000\nabc 1 2 3 4 /x\n"])
func `a memory that cannot be read is made anew`(content: String) throws {
    let place = try Place()
    #expect(try place.identity() == abc)
    let good = try String(contentsOfFile: place.memory, encoding: .utf8)
    try content.write(toFile: place.memory, atomically: false, encoding: .utf8)
    #expect(try place.identity() == abc)
    #expect(try String(contentsOfFile: place.memory, encoding: .utf8) == good)
}

@Test func `identities are found where nothing can be remembered, too`() throws {
    let place = try Place()
    for environment in [[:], ["XDG_CACHE_HOME": "/proc/nowhere"], ["HOME": "relative"]] {
        #expect(try place.identity(environment) == abc)
    }
    #expect(try place.identity(["HOME": place.folder.path]) == abc)
    #expect(FileManager.default.fileExists(atPath: place.folder.file(".cache/forme/fonts")))
}

@Test func `a font that is missing or a folder is named`() throws {
    let place = try Place()
    for (path, code) in [(place.folder.file("missing.ttf"), ENOENT), (place.folder.path, EISDIR)] {
        #expect(throws: FontError.unreadable(path: path, code: code)) { try place.identity(of: path) }
    }
}

@Test func `a file that is no font is refused, though it has an identity`() throws {
    let place = try Place()
    #expect(throws: FontError.notAFont(path: place.font)) { try place.catalog().open(place.families(place.font)) }
}

/// A folder with a file that stands for a font, and a cache beside it.
private struct Place {
    let folder: TemporaryFolder
    var font: String { folder.file("font") }
    var memory: String { folder.file("cache/forme/fonts") }

    init() throws {
        folder = try TemporaryFolder()
        try Data("abc".utf8).write(to: URL(filePath: font))
        // Dates cannot say nanoseconds.
        try set(Date(timeIntervalSince1970: 1_000_000_000))
    }

    func catalog(_ environment: [String: String]? = nil) -> FontCatalog {
        FontCatalog(environment: environment ?? ["XDG_CACHE_HOME": folder.file("cache")])
    }

    func families(_ path: String) -> [FontFamily] {
        [FontFamily(name: "a", faces: [FaceFile(weight: nil, path: path)])]
    }

    func identity(_ environment: [String: String]? = nil, of path: String? = nil) throws -> String {
        let families = try catalog(environment).identified(families(path ?? font))
        return try #require(families[0].faces[0].identity).description
    }

    func overwrite(_ content: String, keepingTime: Bool) throws {
        let time = try time()
        let file = try FileHandle(forWritingTo: URL(filePath: font))
        try file.write(contentsOf: Data(content.utf8))
        try file.close()
        try set(keepingTime ? time : time.addingTimeInterval(1))
    }

    func time() throws -> Date {
        try #require(FileManager.default.attributesOfItem(atPath: font)[.modificationDate] as? Date)
    }

    func set(_ time: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: font)
    }
}
