import Foundation
import Secrets
import TestSupport
import Testing
import Wire

@testable import Daemons

private func font(_ bytes: [UInt8]) -> EditionOffer.Font {
    EditionOffer.Font(hash: FontHash(hex(Fingerprint.of(bytes)))!, bytes: UInt32(bytes.count))
}

private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

private func offer(_ fonts: EditionOffer.Font...) throws -> EditionOffer {
    EditionOffer(edition: try EditionID("aa"), bytes: 1, fonts: fonts)
}

private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}

@Test func `a font is kept for its owner alone, and only with the bytes that its hash says`() throws {
    let folder = try TemporaryFolder()
    let cache = try FontCache(folder.file("a/b"), limit: 1000)
    let bytes = [UInt8](repeating: 7, count: 100)
    let wanted = font(bytes)
    #expect(!cache.holds(wanted))
    try cache.append(Array(bytes[..<60]), to: wanted.hash, isFirst: true)
    try cache.append(Array(bytes[60...]), to: wanted.hash, isFirst: false)
    #expect(try cache.finish(wanted) && cache.holds(wanted))
    #expect(try mode(folder.file("a/b")) == 0o700 && mode(cache.path(of: wanted.hash)) == 0o600)
    // Bytes that were changed on their way, and bytes that were changed in the cache.
    let other = font([1, 2, 3])
    try cache.append([1, 2, 4], to: other.hash, isFirst: true)
    #expect(try !cache.finish(other) && !cache.holds(other))
    try Data(bytes.dropLast() + [8]).write(to: URL(filePath: cache.path(of: wanted.hash)))
    #expect(!cache.holds(wanted) && !FileManager.default.fileExists(atPath: cache.path(of: wanted.hash)))
}

@Test func `a folder that others may enter is closed to them`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
        atPath: folder.file("open"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
    _ = try FontCache(folder.file("open"), limit: 1)
    #expect(try mode(folder.file("open")) == 0o700)
}

@Test func `fonts that were used last stay, as far as there is room beside those that are wanted`() throws {
    let folder = try TemporaryFolder()
    let cache = try FontCache(folder.path, limit: 250)
    let fonts = (0..<3).map { font([UInt8](repeating: UInt8($0), count: 100)) }
    for (number, one) in fonts.enumerated() {
        try cache.append([UInt8](repeating: UInt8(number), count: 100), to: one.hash, isFirst: true)
        #expect(try cache.finish(one))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(1000 + number))],
            ofItemAtPath: cache.path(of: one.hash))
    }
    let fresh = font([9])
    cache.makeRoom(for: try offer(fresh, fonts[0]))
    // The wanted one, old as it is, and the newest of the others.
    #expect(cache.holds(fonts[0]) && !cache.holds(fonts[1]) && cache.holds(fonts[2]))
}
