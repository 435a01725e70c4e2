import Glibc

/// The standard error of a command: what is wrong, and how far it has come.
package enum StandardError {
    /// Writes a text at once. A write that fails, as to a full disk, can be told nowhere: the command goes on with its
    /// work, and keeps its exit code. (`FileHandle` would end the process there.)
    package static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
