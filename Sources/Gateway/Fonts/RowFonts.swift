import Bytes
import Conversation
import JSON
import MessageLayout
import Names
import Record
import Rows
import Wire

/// The files of fonts that rows need, each found once: who asks for a page again, or on another screen of the same size, is answered
/// from memory.
struct RowFonts: ~Copyable {
    /// The layout that was asked about: a row has as many as there are screens and variants.
    private struct Key: Hashable {
        var edition: EditionID
        /// Each counts its jobs by itself.
        var shard: Shard
        var job: JobNumber
        var variant: ContentVariant
    }

    private var choice = FontChoice([])
    private var known = ContentCache<Key, [FontHash]>(limit: 4 << 20)
    private var page = LayoutRows()
    /// Nil until there is a list.
    private var fonts: [ServedFont]?

    /// Takes up a list, or one of which more is made by now.
    mutating func take(_ fonts: [ServedFont]) {
        guard fonts != self.fonts else { return }
        self.fonts = fonts
        choice = FontChoice(fonts)
        known = ContentCache(limit: known.limit)
    }

    /// Nil where the row does not say what its texts are drawn with, or there is no list.
    /// - Parameters:
    ///   - job: with which the row became what it is, among those of its shard.
    ///   - message: as `SaidMessage` writes it; nil where it is not retained.
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

    /// The same of a draft, of which nothing is kept.
    mutating func find(_ layout: [UInt8], _ message: [UInt8]) -> [FontHash]? {
        do {
            return try choice.files(of: layout, saying: Said(said: JSONValue.parse(message)), &page)
        } catch {
            // A row or a message that is damaged names none.
            return nil
        }
    }
}
