import MessageLayout

/// The properties of a row that follow from the kind and the status of its message. Most conversations have a handful.
package struct RowLook: Hashable, Sendable {
    /// The name of its row template.
    package var template: String
    package var joinsSeries: Bool
    package var hasFailed: Bool

    package init(template: String, joinsSeries: Bool = true, hasFailed: Bool = false) {
        (self.template, self.joinsSeries, self.hasFailed) = (template, joinsSeries, hasFailed)
    }
}
