package import Secrets

/// What the bearer of a request may do here, found out once for each request.
package struct Grant: Equatable, Sendable {
    /// The sender whom the bearer reads as; empty for somebody who only looks on.
    package let subject: String
    private let rights: TokenRights
    private let scope: TokenScope

    package init(subject: String, rights: TokenRights, scope: TokenScope) {
        self.subject = subject
        self.rights = rights
        self.scope = scope
    }

    /// Where nobody is asked for a token.
    package static let everything = Grant(subject: "", rights: [.read, .write], scope: .all)

    /// Decided by names alone. Whether there is such a conversation is looked up after this and not before, so that who may
    /// not know cannot find out, by the answer or by its time.
    package func allows(_ right: TokenRights, _ conversation: String) -> Bool {
        rights.isSuperset(of: right) && scope.covers(conversation)
    }

    package func allows(_ right: TokenRights) -> Bool { rights.isSuperset(of: right) }
}
