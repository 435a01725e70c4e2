package import MessageLayout
import Record
import Wire

// Targets that were added to those of the style.
extension RowLayouter {
    /// Lays out everything for these targets, too, from now on, as far as a record can hold them. Those of the style
    /// are passed over. Keys know nothing of it: a record for fewer targets is extended, and not laid out anew.
    package mutating func prepare(_ targets: [Target]) {
        let own = engine.composer.style.targets
        added = Array(targets.filter { !own.contains($0) }.prefix(Limits.targets - own.count))
        engine.aim(at: own + added)
    }

    /// The record that a message would have now, made from its stored data, and the list of its heights; nil if the
    /// record has all targets, or is too old to be extended.
    package mutating func extended(_ layout: [UInt8], _ measured: [UInt8]) -> (layout: [UInt8], heights: [UInt8])? {
        do {
            let record = try LayoutRecord(layout)
            if engine.composer.targets.allSatisfy(record.targets.contains) { return nil }
            try engine.layOut(StoredTexts(checking: measured), showing: record.skeleton(), into: &sheet)
            var bytes: [UInt8] = []
            try encoder.encode(sheet, into: &bytes)
            return (bytes, listedHeights())
        } catch {
            // The record stays as it is: the error is reported where it is shown on another screen.
            return nil
        }
    }
}
