import MessageLayout

/// The inputs of layouts beside styles and messages.
package struct LayoutEnvironment: Hashable, Sendable {
    let digest: Digest

    /// `fonts` differs for any two font lists that measure differently: it has the hashes of their files, in order,
    /// and the use of each.
    package init(fonts: [UInt8], rules: Int = LayoutEnvironment.rules) {
        var key = KeyBytes()
        key.digest(Digest(of: fonts))
        key.number(rules)
        digest = key.digest
    }

    /// Raised whenever equal inputs come to other bytes than before: by other rules of shaping, line breaking or
    /// composing, other data of Unicode, another form of records. Then everything is laid out again: that is the
    /// price of such a change, which must not be forgotten.
    package static let rules = 11
}
