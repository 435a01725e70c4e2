import Console
import Foundation

/// `--quiet`, an option of every command whose work takes long.
enum QuietOption {
    static let name = "quiet"
    static let usage = """
          --quiet              no progress; a bar is shown only where standard error is a terminal
        """
}

extension Arguments {
    var isQuiet: Bool { has(QuietOption.name) }

    /// Whether somebody sees the progress of long work. In the journal of a cron job it would be noise.
    var showsProgress: Bool { !isQuiet && isatty(STDERR_FILENO) == 1 }
}
