import FormeLayout
import Foundation
import JSON
import Operations
import Shaping
import Storage
import Wire

private let log = Log("coordinator")

/// Editions and their fonts, for workers of other hosts: the list of them, and pieces of their files.
///
/// Only fonts of an edition that is kept are ever read, by their hashes; if a file has changed since, the worker that
/// asked for it finds another hash, and throws it away.
struct EditionSupply {
    private let folder: EditionFolder
    private var known: [EditionID: Shelf] = [:]

    private struct Shelf {
        var json: [UInt8]
        var offer: EditionOffer
        var paths: [FontHash: String]
    }

    init(_ folder: EditionFolder) { self.folder = folder }

    /// The answer to a worker of another host: an edition that is there, or the reason why this host cannot give it.
    mutating func offer(_ edition: EditionID) throws(StorageError) -> CoordinatorWord {
        switch try look(for: edition) {
        case .success(let offer): return .offer(offer)
        case .failure(let objection):
            log.warning("an edition cannot be laid out elsewhere", ["reason": "\(objection.text)"])
            return .turnedAway(objection)
        }
    }

    private mutating func look(for edition: EditionID) throws(StorageError) -> Result<EditionOffer, Objection> {
        // Read afresh: fonts come and go.
        known[edition] = nil
        guard let json = try folder.edition(edition) else {
            return .failure(Objection("the edition \(edition) is not in the coordinator's folder"))
        }
        do throws(JSONError) {
            let compiled = try CompiledEdition(json: json)
            return shelve(compiled, json)
        } catch {
            return .failure(Objection("the edition \(edition) cannot be read: \(error)"))
        }
    }

    private mutating func shelve(_ edition: CompiledEdition, _ json: [UInt8]) -> Result<EditionOffer, Objection> {
        var fonts: [EditionOffer.Font] = []
        var paths: [FontHash: String] = [:]
        for face in edition.fonts.flatMap(\.faces) {
            guard let hash = face.identity.flatMap({ FontHash($0.description) }) else { continue }
            guard paths[hash] == nil else { continue }
            guard let bytes = Self.size(of: face.path) else {
                return .failure(
                    Objection(
                        "the font \(face.path) of the edition \(edition.id) is not on the coordinator's host any more"))
            }
            paths[hash] = face.path
            fonts.append(EditionOffer.Font(hash: hash, bytes: bytes))
        }
        let offer = EditionOffer(edition: edition.id, bytes: UInt32(json.count), fonts: fonts)
        // Few are wanted at a time, the served one and the next.
        if known.count > 3 { known = [:] }
        known[edition.id] = Shelf(json: json, offer: offer, paths: paths)
        return .success(offer)
    }

    /// Nil for a part that was not offered, or is not there any more. A worker that needs it asks for an edition anew,
    /// and is told the reason then.
    mutating func piece(_ part: EditionPart) throws(StorageError) -> [UInt8]? {
        if known[part.edition] == nil { _ = try look(for: part.edition) }
        guard let shelf = known[part.edition] else { return nil }
        switch part.file {
        case .edition:
            let rest = shelf.json.dropFirst(Int(part.offset)).prefix(Limits.piece)
            return rest.isEmpty ? nil : Array(rest)
        case .font(let hash):
            guard let path = shelf.paths[hash], let file = FileHandle(forReadingAtPath: path) else { return nil }
            defer { try? file.close() }
            guard (try? file.seek(toOffset: UInt64(part.offset))) != nil,
                let bytes = try? file.read(upToCount: Limits.piece), !bytes.isEmpty
            else { return nil }
            return Array(bytes)
        }
    }

    private static func size(of path: String) -> UInt32? {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return (facts?[.size] as? NSNumber).flatMap { UInt32(exactly: $0.int64Value) }
    }
}
