/// A word after the name of a program and all that belongs to it: its help, the reading of its options, and its work.
package protocol Command: Sendable {
    var name: String { get }
    /// One line for the list of commands.
    var summary: String { get }
    /// The text that `help NAME` prints below the summary.
    var usage: String { get }

    /// Runs the command. `Failure` tells the user about errors that it throws.
    func run(_ words: [String]) throws
}
