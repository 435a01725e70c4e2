package import Typography

/// Reasons why a message cannot be laid out from its stored texts.
package enum StoredMessageError: Error, Hashable, Sendable {
    /// The stored form is older than `PlanFacts`, and has none.
    case isTooOld
    case unknownKind(String)
    /// Its plan has other texts than are stored.
    case doesNotFit
    case text(MeasuredTextError)
}

extension StoredTexts {
    package init(checking bytes: [UInt8]) throws(StoredMessageError) {
        do throws(MeasuredTextError) { try self.init(bytes[...]) } catch { throw .text(error) }
    }
}

/// Layout of stored messages, for screens that nobody foresaw.
extension Composer {
    /// Writes the sheet that the message itself would give.
    ///
    /// - Parameter shown: the skeleton of any layout of the message.
    package mutating func layOut(
        _ stored: StoredTexts, showing shown: Skeleton, into sheet: inout LayoutSheet
    ) throws(StoredMessageError) {
        try take(stored)
        if writer.write(try plan(stored.facts, shown, expectsCuts: false), into: &sheet) == .cut {
            _ = writer.write(try plan(stored.facts, shown, expectsCuts: true), into: &sheet)
        }
    }

    /// Returns the heights of the message on the first target, collapsed. No line is written.
    package mutating func heights(_ stored: StoredTexts) throws(StoredMessageError) -> ContentHeights {
        try take(stored)
        return try heights(stored.facts)
    }

    /// Returns the heights of the message whose texts are at hand.
    mutating func heights(_ facts: PlanFacts?) throws(StoredMessageError) -> ContentHeights {
        let (heights, outcome) = writer.heights(of: try plan(facts, nil, expectsCuts: false))
        guard outcome == .cut else { return heights }
        return writer.heights(of: try plan(facts, nil, expectsCuts: true)).0
    }

    /// Puts the stored texts on the shelf, in the place of measured ones.
    mutating func take(_ stored: StoredTexts) throws(StoredMessageError) {
        var texts = stored
        // A local constant: with the thread sanitizer, the compiler stops at a place that a class lends while a
        // struct is asked for the class.
        let shelf = shelf
        var count = style.tables.literals.count
        shelf.resize(to: count)
        do throws(MeasuredTextError) {
            while !texts.isAtEnd {
                shelf.resize(to: count + 1)
                try texts.next(into: &shelf[count])
                count += 1
            }
        } catch {
            throw .text(error)
        }
    }

    /// Returns the plan of the message whose texts are at hand.
    mutating func plan(
        _ facts: PlanFacts?, _ shown: Skeleton?, expectsCuts: Bool
    ) throws(StoredMessageError) -> Plan {
        var plan = try unfinishedPlan(facts, shown, expectsCuts: expectsCuts)
        plan.finish(shelf, literals: style.tables.literals.count)
        return plan
    }

    /// Returns the plan without the findings of measuring (`finish`). Of texts, only their number is needed.
    mutating func unfinishedPlan(
        _ facts: PlanFacts?, _ shown: Skeleton?, expectsCuts: Bool
    ) throws(StoredMessageError) -> Plan {
        guard let facts else { throw .isTooOld }
        guard let template = style.template(for: facts.kind) else { throw .unknownKind(facts.kind) }
        var plan = memory.plan(
            facts, showing: shown, template: template, sheet: style, expectsCuts: expectsCuts)
        guard style.tables.literals.count + plan.texts.count == shelf.count,
            plan.pictures.count == facts.pictures.count, plan.bars.count == facts.bars.count
        else { throw .doesNotFit }
        (plan.pictures, plan.bars) = (facts.pictures, facts.bars)
        if let shown { plan.generate(asIn: shown) }
        if facts.isOfUnknownKind { plan.skeleton.confidence.insert(.unknownKind) }
        return plan
    }
}
