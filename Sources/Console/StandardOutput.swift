// `stdout` is a variable to C, and nobody here sets it.
@unsafe @preconcurrency import Glibc

/// The standard output of a command, with the result that was asked for.
enum StandardOutput {
    /// Flushes the output, and fails where any of it is lost: a script that reads 0 has all of it.
    ///
    /// Nobody reads a pipe that was closed on purpose, as `head` does: that is no failure.
    static func finish() throws(Failure) {
        // For output that did not fit a buffer the reason is lost; only the mark of an error is left.
        let wasLost = unsafe ferror(stdout) != 0
        let code: Int32? = unsafe fflush(stdout) == 0 ? nil : errno
        guard wasLost || code != nil, code != EPIPE, !isClosedPipe else { return }
        let reason = code.map { unsafe ": " + String(cString: strerror($0)) } ?? ""
        throw Failure(.inputOutput, "standard output cannot be written\(reason); check the disk that it goes to")
    }

    private static var isClosedPipe: Bool {
        var question = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return unsafe poll(&question, 1, 0) == 1 && question.revents & Int16(POLLERR) != 0
    }
}
