package import MessageLayout
import Record
import Wire

// Targets that were added to those of the style.
extension RowLayouter {
    /// From now on everything is laid out for these, too, as far as a record can hold them. Those of the style are passed over.
    /// Keys know nothing of it: what was laid out for fewer is extended, and not laid out anew.
    package mutating func prepare(_ targets: [Target]) {
        let own = engine.composer.style.targets
        added = Array(targets.filter { !own.contains($0) }.prefix(Limits.targets - own.count))
        engine.aim(at: own + added)
    }

    /// The record that a message would have now, made of what is stored of it; nil where the record has all targets, or cannot be
    /// extended, as it was stored before anybody could.
    package mutating func extended(_ layout: [UInt8], _ measured: [UInt8]) -> [UInt8]? {
        do {
            let record = try LayoutRecord(layout)
            if engine.composer.targets.allSatisfy(record.targets.contains) { return nil }
            try engine.layOut(StoredTexts(checking: measured), showing: record.skeleton(), into: &sheet)
            var bytes: [UInt8] = []
            try encoder.encode(sheet, into: &bytes)
            return bytes
        } catch {
            // It stays as it is: whoever shows it elsewhere says what is wrong.
            return nil
        }
    }
}
