import MessageLayout

/// What layouts depend on beside styles and messages.
package struct LayoutEnvironment: Hashable, Sendable {
    let digest: Digest

    /// `fonts` is whatever two font lists differ in that measure differently: the hashes of their files, in order, and
    /// what each is used for.
    package init(fonts: [UInt8], rules: Int = LayoutEnvironment.rules) {
        var key = KeyBytes()
        key.digest(Digest(of: fonts))
        key.number(rules)
        digest = key.digest
    }

    /// Raised whenever equal inputs come to other bytes than before: by other rules of shaping, line breaking or composing,
    /// other data of Unicode, another form of records. Then everything is laid out again, which is the price of a change
    /// that must not be forgotten.
    package static let rules = 11
}
