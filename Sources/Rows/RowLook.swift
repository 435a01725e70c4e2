import MessageLayout

/// What the kind and the status of a message say about its row. Most conversations know a handful.
package struct RowLook: Hashable, Sendable {
    /// The name of its row template.
    package var template: String
    package var joinsSeries: Bool
    package var hasFailed: Bool

    package init(template: String, joinsSeries: Bool = true, hasFailed: Bool = false) {
        (self.template, self.joinsSeries, self.hasFailed) = (template, joinsSeries, hasFailed)
    }
}
