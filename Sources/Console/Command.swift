/// One word after the name of a program, and what it does.
package struct Command: Sendable {
    package let name: String
    /// One line for the list of commands.
    package let summary: String
    /// The text that `help NAME` prints below the summary.
    package let usage: String
    /// Does it. What it throws is told to the user by `Failure`.
    package let run: @Sendable ([String]) throws -> Void

    package init(
        name: String, summary: String, usage: String, run: @escaping @Sendable ([String]) throws -> Void
    ) {
        (self.name, self.summary, self.usage, self.run) = (name, summary, usage, run)
    }
}
