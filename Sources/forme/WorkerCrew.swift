import Console
import FormeLayout
import Operations
import Shaping
import Storage
import Wire

private let log = Log("serve")

/// Which workers `forme serve` runs: all for the served edition; while the next one is laid out, some for either, as what is accepted
/// meanwhile is to be seen at once. Where nobody can lay out the served one here, as its fonts are gone or another release made it, all
/// are for the next one, and a caretaker takes away from the served one what has changed. Where an edition is served before it is whole, one
/// stays with the edition before it, of which readers are shown the rest.
final class WorkerCrew {
    private let folder: DataFolder
    /// That of the style with which the service was started.
    private let own: EditionID
    private let count: Int
    private let words: [String]
    private let fonts: [FontFamily]
    /// The coordinator has heard which edition this start wants.
    private var isHeard = false
    private var able: [EditionID: Bool] = [:]
    private var last: [[String]] = []

    /// - Parameters:
    ///   - words: options of every worker.
    ///   - fonts: where fonts of an edition may lie, too.
    init(_ folder: DataFolder, own: EditionID, count: Int, words: [String], fonts: [FontFamily]) {
        (self.folder, self.own, self.count, self.words, self.fonts) = (folder, own, count, words, fonts)
        able[own] = true
    }

    /// The arguments of each that should be there now.
    func plan() -> [[String]] {
        do throws(StorageError) {
            last = plan(try ServedEdition.read(in: folder))
        } catch {
            log.warning("which edition is served cannot be read; workers stay as they are", ["reason": "\(error)"])
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
        // One that is hurried does not give way: it is waited for.
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
