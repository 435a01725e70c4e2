import Bytes
import Console
import Names

extension Arguments {
    /// The name of a conversation, a message or a sender that a command was given.
    func name<Subject>(_ text: String, of what: String) throws -> Name<Subject> {
        do throws(ByteError) { return try Name<Subject>(text) } catch {
            throw refusal("\(what) has 1 to \(Name<Subject>.mostBytes) bytes, not \(text.utf8.count)")
        }
    }
}
