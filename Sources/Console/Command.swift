/// One word after the name of a program, and all that belongs to it: what help says, how its words are read, and what it does.
package protocol Command: Sendable {
    var name: String { get }
    /// One line for the list of commands.
    var summary: String { get }
    /// The text that `help NAME` prints below the summary.
    var usage: String { get }

    /// Does it. What it throws is told to the user by `Failure`.
    func run(_ words: [String]) throws
}
