import Bytes
public import Foundation
import Names
import Wire

/// The ends of conversations as they were last seen, one file for each conversation and screen, so that there is
/// something to show before the network answers. It is only a cache: a file that is damaged, or of another version,
/// is absent.
public struct PageCache: Sendable {
    private let folder: URL
    private let mostFiles: Int
    private let mostBytes: Int

    /// - Parameter folder: a folder of its own. Where it cannot be written, nothing is kept.
    public init(folder: URL, mostFiles: Int = 256, mostBytes: Int = 16 << 20) {
        (self.folder, self.mostFiles, self.mostBytes) = (folder, mostFiles, mostBytes)
    }

    func window(of opening: WindowOpening) -> WindowReply? {
        let key = CachedPage.key(of: opening)
        let file = file(of: opening)
        guard let data = FileManager.default.contents(atPath: file.path),
            let reply = CachedPage.window(in: Array(data), of: key)
        else { return nil }
        // The oldest files go first, and this one is in use.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
        return reply
    }

    func keep(_ reply: WindowReply, of opening: WindowOpening) {
        let key = CachedPage.key(of: opening)
        let page = CachedPage.bytes(of: reply, key)
        guard page.count <= mostBytes else { return }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(page).write(to: file(of: opening), options: .atomic)
            try tidy()
        } catch {
            // A cache that cannot be written is an empty one.
        }
    }

    /// Forgets a conversation on all screens.
    func forget(_ conversation: ConversationID) {
        let start = Self.start(of: conversation)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(start) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private func file(of opening: WindowOpening) -> URL {
        let screen = String(BlockChecksum(of: CachedPage.key(of: opening)).value, radix: 16)
        return folder.appendingPathComponent("\(Self.start(of: opening.conversation))\(screen).\(Self.ending)")
    }

    /// The beginning of the names of a conversation's files. They are hashes, so that the folder does not reveal its name.
    private static func start(of conversation: ConversationID) -> String {
        String(BlockChecksum(of: Array(conversation.text.utf8)).value, radix: 16) + "-"
    }

    private static let ending = "page"

    private func tidy() throws {
        let wanted: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
        let files = try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(wanted))
            .filter { $0.pathExtension == Self.ending }
        let pages = try files.map { file in
            let values = try file.resourceValues(forKeys: wanted)
            return (file: file, date: values.contentModificationDate ?? .distantPast, bytes: values.fileSize ?? 0)
        }
        var (count, bytes) = (pages.count, pages.reduce(0) { $0 + $1.bytes })
        for page in pages.sorted(by: { $0.date < $1.date }) where count > mostFiles || bytes > mostBytes {
            try FileManager.default.removeItem(at: page.file)
            count -= 1
            bytes -= page.bytes
        }
    }
}
