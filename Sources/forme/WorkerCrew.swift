import Console
import FormeLayout
import Operations
import Shaping
import Storage
import Wire

private let log = Log("serve")

/// The workers that `forme serve` runs. All are for the served edition; while the next one is laid out, some are for
/// either, so that new messages are seen at once. Where the served edition cannot be laid out here, as its fonts are
/// gone or another release made it, all are for the next one, and a caretaker removes changed rows from the served
/// one. Where an edition is served before it is whole, one worker stays with the edition before it, from which
/// readers get the rest.
final class WorkerCrew {
    private let folder: DataFolder
    /// The edition of the style with which the service was started.
    private let own: EditionID
    private let count: Int
    private let words: [String]
    private let fonts: [FontFamily]
    /// Whether the coordinator has heard which edition this start wants.
    private var isHeard = false
    private var able: [EditionID: Bool] = [:]
    private var last: [[String]] = []

    /// - Parameters:
    ///   - words: options of every worker.
    ///   - fonts: further families, among whose files those of an edition may be.
    init(_ folder: DataFolder, own: EditionID, count: Int, words: [String], fonts: [FontFamily]) {
        (self.folder, self.own, self.count, self.words, self.fonts) = (folder, own, count, words, fonts)
        able[own] = true
    }

    /// The arguments of each worker that should be there now.
    func plan() -> [[String]] {
        do throws(StorageError) {
            last = plan(try ServedEdition.read(in: folder))
        } catch {
            log.warning(
                "which edition is served cannot be read; workers stay as they are",
                ["reason": "\(Failure(error).sentence)"])
        }
        return last
    }

    private func plan(_ served: ServedEdition?) -> [[String]] {
        if served?.edition == own || served?.next == own { isHeard = true }
        let current = served?.edition ?? own
        let next = isHeard ? served?.next : own
        let older = served?.older.map { [isAble($0) ? worker($0) : caretaker($0)] } ?? []
        guard let next, next != current else {
            return Array(repeating: worker(current), count: max(1, count - older.count)) + older
        }
        guard isAble(current) else {
            return Array(repeating: worker(next), count: count) + [caretaker(current)] + older
        }
        let behind = max(1, count / 2)
        // Workers for a hurried edition do not give way, as it is waited for.
        let words = served?.isHurried ?? false ? [] : ["--\(WorkerOption.behind)"]
        return Array(repeating: worker(current), count: max(1, count - behind))
            + Array(repeating: worker(next) + words, count: behind) + older
    }

    private func worker(_ edition: EditionID) -> [String] {
        ["worker"] + words + ["--\(WorkerOption.edition)", edition.text]
    }

    private func caretaker(_ edition: EditionID) -> [String] { worker(edition) + ["--\(WorkerOption.caretaker)"] }

    /// Whether the edition can be laid out here.
    private func isAble(_ edition: EditionID) -> Bool {
        if let known = able[edition] { return known }
        let reason = objection(to: edition)
        able[edition] = reason == nil
        if let reason {
            log.warning(
                "the served edition cannot be laid out here; what is new is shown from the next one",
                ["edition": "\(edition)", "reason": "\(reason)"])
        }
        return reason == nil
    }

    private func objection(to edition: EditionID) -> String? {
        do {
            guard let json = try EditionFolder(folder).edition(edition) else { return "it is not in the folder" }
            _ = try CompiledEdition(json: json).openHere(besides: fonts)
            return nil
        } catch {
            return Failure(error).sentence
        }
    }
}
