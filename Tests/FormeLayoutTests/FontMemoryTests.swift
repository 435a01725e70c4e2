import Foundation
import Shaping
import TestSupport
import Testing

@testable import FormeLayout

@Test func `what was remembered of fonts comes back from its file, whatever their paths`() throws {
    var memory = FontMemory()
    for (n, path) in ["/a/Noto Sans.ttf", "/ü/漢字.ttc", "/ leading", "/0"].enumerated() {
        memory.remember(identity(UInt8(n)), of: file(path, modified: Int64(n) - 1))
    }
    #expect(FontMemory(decoding: memory.encoded()) == memory)
    #expect(FontMemory(decoding: FontMemory().encoded()) == FontMemory())
    #expect(memory[file("/0", modified: 2)] == identity(3))
    #expect(memory[file("/0", modified: 3)] == nil)
}

@Test func `a memory of fonts that was cut, extended or changed anywhere is none`() {
    var memory = FontMemory()
    memory.remember(identity(7), of: file("/a.ttf", modified: 1))
    let whole = Array(memory.encoded().utf8)
    for length in whole.indices {
        #expect(FontMemory(decoding: String(decoding: whole[..<length], as: UTF8.self)) == nil)
        var changed = whole
        changed[length] ^= 1
        #expect(FontMemory(decoding: String(decoding: changed, as: UTF8.self)) == nil)
    }
    #expect(FontMemory(decoding: memory.encoded() + "x") == nil)
}

@Test func `a path of two lines is not written, and a memory has a limit`() {
    var memory = FontMemory()
    memory.remember(identity(1), of: file("/a\n/b", modified: 1))
    #expect(FontMemory(decoding: memory.encoded()) == FontMemory())
    for n in 0..<2 * FontMemory.most { memory.remember(identity(1), of: file("/\(n)", modified: 1)) }
    #expect(memory[file("/0", modified: 1)] == nil)
    #expect(memory[file("/\(2 * FontMemory.most - 1)", modified: 1)] != nil)
    #expect(memory.encoded().split(separator: "\n").count == 1 + FontMemory.most)
}

private func identity(_ byte: UInt8) -> FontIdentity { FontIdentity(bytes: Array(repeating: byte, count: 32)) }

private func file(_ path: String, modified: Int64) -> FontMemory.File {
    FontMemory.File(path: path, device: 1, inode: .max, size: 3, modified: modified)
}
