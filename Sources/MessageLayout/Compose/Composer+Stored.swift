package import Typography

/// Why a message cannot be laid out of what is stored.
package enum StoredMessageError: Error, Hashable, Sendable {
    /// It was stored before anybody could.
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

/// Laying out anew what is stored of messages: for screens that nobody foresaw.
extension Composer {
    /// The sheet that the message's own would be.
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

    /// How high the message is on the first target, collapsed. No line is written down.
    package mutating func heights(_ stored: StoredTexts) throws(StoredMessageError) -> ContentHeights {
        try take(stored)
        return try heights(stored.facts)
    }

    /// How high the message is whose texts are at hand.
    mutating func heights(_ facts: PlanFacts?) throws(StoredMessageError) -> ContentHeights {
        let (heights, outcome) = writer.heights(of: try plan(facts, nil, expectsCuts: false))
        guard outcome == .cut else { return heights }
        return writer.heights(of: try plan(facts, nil, expectsCuts: true)).0
    }

    /// Puts its texts where those of a message are that was measured.
    mutating func take(_ stored: StoredTexts) throws(StoredMessageError) {
        var texts = stored
        // By itself: with the thread sanitizer the compiler stops at a place that is lent by a class which a struct is asked for meanwhile.
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

    /// Of the message whose texts are at hand.
    mutating func plan(
        _ facts: PlanFacts?, _ shown: Skeleton?, expectsCuts: Bool
    ) throws(StoredMessageError) -> Plan {
        var plan = try unfinishedPlan(facts, shown, expectsCuts: expectsCuts)
        plan.finish(shelf, literals: style.tables.literals.count)
        return plan
    }

    /// The same without what was found in texts, of which only the number is asked for.
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
