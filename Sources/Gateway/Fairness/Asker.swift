package import Names

/// Who asks for something: whom the answer is charged to, and as whom it would write.
package struct Asker: Hashable, Sendable {
    package let payer: Subject
    package let writer: Writer

    package init(_ payer: Subject, writer: Writer = .nobody) { (self.payer, self.writer) = (payer, writer) }

    package static let anybody = Asker(.anybody)
}

/// In whose name somebody may post.
package enum Writer: Hashable, Sendable {
    /// Who may only read.
    case nobody
    /// Its own messages.
    case person(SenderID)
    /// Messages of everybody.
    case backend

    var sender: SenderID? { if case .person(let name) = self { name } else { nil } }
}
