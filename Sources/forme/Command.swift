/// One word after `forme`, and what it does. A new command is a file with a value of this type, and a line in `all`.
struct Command: Sendable {
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// What `forme help NAME` prints below the summary.
    let usage: String
    /// Does it. What it throws is told to the user by `Failure`.
    let run: @Sendable ([String]) throws -> Void

    static let all: [Command] = [
        demo, serve, post, importing, fetch, tail, flood, lines, layout, gallery, fonts, bench, simulate, chaos, keys,
        token, config,
        status, pool, shelf, check, backup, restore, coordinator, worker, gateway,
    ]
}
