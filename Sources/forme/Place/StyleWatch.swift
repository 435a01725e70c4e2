import Console
import FormeClientZMQ
import FormeLayout
import Foundation
import JSON
import Operations
import Pool
import Settings
import Shaping
import Storage
import Transport
import Wire

private let log = Log("style")

/// A watch over the files of a style while somebody works on it: a saved style is compiled, put into the folder and
/// shown at once. Its mistakes are told to the pages, and the style that was shown last stays.
final class StyleWatch: Sendable {
    static let name = "watch"
    static let usage = """
          --watch              a style that is saved is shown at once, and with --pages its mistakes
        """

    private let place: Place
    private let fonts: [FontFamily]
    private let own: EditionID
    private static let pause: Duration = .milliseconds(50)

    /// - Parameters:
    ///   - fonts: the fonts with their identities (`FontCatalog.identified`).
    ///   - own: the edition of the style as it was when the service was started.
    init(_ place: Place, own: EditionID, fonts: [FontFamily]) throws {
        (self.place, self.own, self.fonts) = (place, own, fonts)
        try StyleFaults.write([], in: place.folder)
    }

    /// Watches from now on, on a thread of its own, as long as the process lives.
    func start() { Thread.detachNewThread { self.watch() } }

    private func watch() {
        var shown = own
        // The documents of the style are found at once, so that its kinds are among the files.
        var folders = Set(
            [place.configuration.style]
                + ((try? StyleDocuments(reading: place.configuration.style).all.map(\.name)) ?? []))
        folders = Set(folders.map(folder(of:)))
        var (seen, done) = (files(in: folders), files(in: folders))
        while (try? wait(for: [], atMost: Self.pause)) != nil {
            let now = files(in: folders)
            guard now != done else { continue }
            do {
                let documents = try StyleDocuments(reading: place.configuration.style)
                folders.formUnion(documents.all.map { folder(of: $0.name) })
                let edition = try CompiledEdition(documents, fonts: fonts)
                if edition.id != shown { try show(edition) }
                (shown, done) = (edition.id, now)
                try StyleFaults.write([], in: place.folder)
            } catch {
                // It may be half written: a mistake is one that is still there at the next look.
                guard now == seen else {
                    seen = now
                    continue
                }
                done = now
                tell(Failure(error).sentence)
            }
            seen = now
        }
    }

    private func show(_ edition: CompiledEdition) throws {
        try EditionFolder(place.folder).keep(edition.json, of: edition.id)
        let endpoint = place.endpoints.operators
        let client = try OperatorClient(endpoint, access: place.calling(endpoint, as: "operator"))
        let (_, answer) = try client.ask(.roll(to: edition.id, isHurried: true), within: .seconds(5))
        if let error = answer["error"]?.string { throw Failure(.failed, error) }
        log.info("the style was saved", ["edition": "\(edition.id)"])
    }

    private func tell(_ sentence: String) {
        log.warning("the style is not shown as it was saved", ["reason": "\(sentence)"])
        do throws(StorageError) { try StyleFaults.write([sentence], in: place.folder) } catch {
            log.error("pages are not told of it", ["reason": "\(Failure(error).sentence)"])
        }
    }

    private func folder(of file: String) -> String { URL(filePath: file).deletingLastPathComponent().path }

    /// The files that a style may be read from, with the time at which each was written.
    private func files(in folders: Set<String>) -> [String: Writing] {
        var found: [String: Writing] = [:]
        for folder in folders {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            where name.hasSuffix(".json5") {
                found["\(folder)/\(name)"] = Writing("\(folder)/\(name)")
            }
        }
        return found
    }

    private struct Writing: Equatable {
        let inode: UInt64
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return nil }
            (inode, size) = (UInt64(status.st_ino), Int(status.st_size))
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }
}
