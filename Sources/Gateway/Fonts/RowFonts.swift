import Bytes
import Conversation
import JSON
import MessageLayout
import Names
import Record
import Rows
import Wire

/// The font files that rows need, each row's found once: a page that is asked for again, or for another screen, is
/// answered from memory.
struct RowFonts: ~Copyable {
    /// A row in one variant, whatever the screen.
    private struct Key: Hashable {
        var edition: EditionID
        /// The shard that the job is of: each counts its jobs by itself.
        var shard: Shard
        var job: JobNumber
        var variant: ContentVariant
    }

    private var choice = FontChoice([])
    private var known = ContentCache<Key, [FontHash]>(limit: 4 << 20)
    private var page = LayoutRows()
    /// The list of fonts; nil until there is one.
    private var fonts: [ServedFont]?

    /// Takes up a list, or one with slices that were made since.
    mutating func take(_ fonts: [ServedFont]) {
        guard fonts != self.fonts else { return }
        self.fonts = fonts
        choice = FontChoice(fonts)
        known = ContentCache(limit: known.limit)
    }

    /// Returns the files for a row; nil where the row does not say what its texts are drawn with, or there is no
    /// list.
    /// - Parameters:
    ///   - job: the job that made the row what it is, among those of its shard.
    ///   - message: the message as `SaidMessage` writes it; nil where it is not retained.
    mutating func files(
        of body: WindowRow.Body, _ message: [UInt8]?, made job: JobNumber, in shard: Shard, of edition: EditionID
    ) -> [FontHash]? {
        guard fonts != nil else { return nil }
        let key = Key(
            edition: body.filler ?? edition, shard: shard, job: job, variant: body.decoration.variant)
        if let files = known.content(key) { return files }
        guard let message, let found = find(body.layout, message) else { return nil }
        known.keep(found, bytes: 64 + 8 * found.count, for: key)
        return found
    }

    /// Returns the files for a draft, of which nothing is kept.
    mutating func find(_ layout: [UInt8], _ message: [UInt8]) -> [FontHash]? {
        do {
            return try choice.files(of: layout, saying: Said(said: JSONValue.parse(message)), &page)
        } catch {
            // A row or a message that is damaged names none.
            return nil
        }
    }
}
