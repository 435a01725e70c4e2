import Bytes
package import Names
package import Secrets
import Wire

/// The rights of a request's bearer here, found out once for each request.
package struct Grant: Equatable, Sendable {
    /// The sender whom the bearer reads as, and whose own messages it may write; nil for nobody in particular.
    package let subject: SenderID?
    /// The token of the request; nil where nobody is asked for one.
    package let token: TokenVerifier.Verified?
    /// The subject that work for the bearer is charged to.
    package private(set) var payer: Subject
    private let rights: TokenRights
    let scope: TokenScope

    /// Nil for a subject that no sender can have.
    package init?(_ token: TokenVerifier.Verified) {
        let claims = token.claims
        if claims.subject.isEmpty {
            subject = nil
        } else {
            do throws(ByteError) { subject = try SenderID(claims.subject) } catch { return nil }
        }
        (rights, scope, self.token) = (claims.rights, claims.scope, token)
        payer = subject.map { .reader($0) } ?? .token(token.id)
    }

    /// A grant without a token.
    init(as subject: SenderID?, _ rights: TokenRights, _ scope: TokenScope = .all) {
        (self.subject, token, self.rights, self.scope) = (subject, nil, rights, scope)
        payer = subject.map { .reader($0) } ?? .anybody
    }

    /// The same grant, charged to the sender of a request without a token.
    func paid(by payer: Subject) -> Grant {
        var grant = self
        grant.payer = payer
        return grant
    }

    /// Access without tokens, where nobody is asked for one.
    package static let everything = Grant(as: nil, [.read, .write, .backend])
    static let reading = Grant(as: nil, .read)

    /// Whether the bearer writes for everybody: senders, order, status and whole reactions are taken as it gives
    /// them. Else it writes messages of its subject.
    ///
    /// A backend's token from before there was this right has the right to write and no subject.
    package var isBackend: Bool { rights.contains(.backend) || rights.contains(.write) && subject == nil }

    /// Whether the bearer has a right in a conversation, decided by names alone. The conversation is looked up after
    /// this and not before, so that a bearer without the right cannot find out whether it exists, by the answer or by
    /// its time.
    package func allows(_ right: TokenRights, _ conversation: String) -> Bool {
        rights.isSuperset(of: right) && scope.covers(conversation)
    }

    /// The bearer as an asker about a conversation.
    func asker(in conversation: ConversationID) -> Asker {
        guard allows(.write, conversation.text) else { return Asker(payer) }
        return Asker(payer, writer: isBackend ? .backend : subject.map { .person($0) } ?? .nobody)
    }

    package func allows(_ right: TokenRights) -> Bool { rights.isSuperset(of: right) }
}
