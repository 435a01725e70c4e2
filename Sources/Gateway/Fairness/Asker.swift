package import Names

/// The sender of a request: the subject that its answer is charged to, and the name in which it would write.
package struct Asker: Hashable, Sendable {
    package let payer: Subject
    package let writer: Writer

    package init(_ payer: Subject, writer: Writer = .nobody) { (self.payer, self.writer) = (payer, writer) }

    package static let anybody = Asker(.anybody)
}

/// The name in which somebody may post.
package enum Writer: Hashable, Sendable {
    /// No name: the bearer may only read.
    case nobody
    /// Its own messages.
    case person(SenderID)
    /// Messages of everybody.
    case backend

    var sender: SenderID? { if case .person(let name) = self { name } else { nil } }
}
