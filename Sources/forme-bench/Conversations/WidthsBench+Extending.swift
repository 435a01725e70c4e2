import Console
import FormeLayout
import MessageLayout
import Names
import Storage
import Typography
import Wire

// Extending by a screen that was asked for so often that it is added to those of the style.
extension WidthsBench {
    /// Seconds until all rows are laid out for one more screen, and stored, as an idle worker does it.
    mutating func extending() throws -> Double {
        let start = ProcessorTime.now
        layouter.prepare([nextTarget()])
        shard.prepare(layouter.added)
        while try extendSome() {}
        let seconds = ProcessorTime.now - start
        let rows = try reader.rows([1, 256, 1000].map { MessageNumber($0) }, for: Set(layouter.added))
        guard rows.allSatisfy(\.measured.isEmpty) else {
            throw Failure(.failed, "rows are not laid out for the screen")
        }
        return seconds
    }

    private mutating func extendSome() throws(StorageError) -> Bool {
        // The sealer is taken out of `self`, whose layouter is changed meanwhile.
        var own = RowSealer(style: nil)
        swap(&own, &sealer)
        defer { swap(&own, &sealer) }
        return try shard.extend(&own) { layout, measured in layouter.extended(layout, measured) }
    }
}
