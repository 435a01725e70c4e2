extension [MarkdownBlock] {
    /// The whole text on one line, cut after `limit` units: for the quote above a reply, and for clients that show no
    /// blocks.
    ///
    /// Spoilers stay covered.
    package func plainSummary(limit: Int) -> [UInt16] {
        var line: [UInt16] = []
        for block in self where line.count < limit {
            if !line.isEmpty { line.append(.space) }
            line += block.marker.utf16
            line += block.coveredUnits(limit: limit - line.count)
        }
        if line.count > limit { line.removeSubrange(Swift.max(limit, 0)...) }
        // Half a character would be shown as a box.
        if let last = line.last, UTF16.isLeadSurrogate(last) { line.removeLast() }
        return line
    }
}

extension MarkdownBlock {
    fileprivate var marker: String {
        switch kind {
        case .item(let ordinal?): "\(ordinal). "
        case .item(nil): "\u{2022} "
        case .paragraph, .heading, .code: ""
        }
    }

    /// The first units of the text, with spaces for newlines and a shade for each unit of a spoiler.
    fileprivate func coveredUnits(limit: Int) -> [UInt16] {
        var units = text.units.prefix(Swift.max(limit, 0)).map { $0 == .newline ? .space : $0 }
        for spoiler in text.entities where spoiler.kind == .spoiler {
            for index in Int(spoiler.range.lowerBound)..<Int(spoiler.range.upperBound) where index < units.count {
                units[index] = 0x2592
            }
        }
        return units
    }
}
