import FormeLayout
import JSON
import MessageLayout
import Operations
import Pool
import Rows
import Storage
import Wire

private let log = Log("coordinator")

/// The words that the kept editions draw: producers are warned of words that none of them does.
///
/// While a new edition is laid out both are kept, so there is no warning for a kind that the next one brings, nor for
/// one that the served one still has.
struct EditionWords {
    private var known: Set<EditionID> = []

    /// Reads them again when there are other editions than before; where that fails, they stay as they were.
    mutating func learn(_ words: inout StyleWords?, from folder: EditionFolder) {
        do throws(StorageError) { try refresh(&words, from: folder) } catch {
            log.warning("the kept editions cannot be read", ["reason": "\(LaneShards.sentence(error))"])
        }
    }

    /// - Parameter words: nil where an edition cannot be read: its words are then unknown, and no producer is warned.
    private mutating func refresh(_ words: inout StyleWords?, from folder: EditionFolder) throws(StorageError) {
        let kept = Set(try folder.all())
        guard kept != known else { return }
        known = kept
        words = nil
        var found: StyleWords?
        for id in kept {
            guard let json = try folder.edition(id) else {
                // It is being written, or removed: it is read again next time.
                known = []
                return
            }
            do throws(JSONError) {
                let own = StyleWords(try CompiledEdition(json: json).documents.sheet())
                found = found?.union(own) ?? own
            } catch {
                return log.warning(
                    "producers are not warned, as an edition cannot be read",
                    ["edition": "\(id)", "reason": "\(error)"])
            }
        }
        words = found
    }
}

extension StyleWords {
    /// The words that a style draws.
    fileprivate init(_ style: StyleSheet) {
        self.init(
            kinds: style.templates.keys, statuses: style.failedStatuses,
            reactions: style.reactions.map { Reactions(most: $0.most, fields: $0.fields) },
            fields: style.templates.mapValues(\.fields))
    }
}
