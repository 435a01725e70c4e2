// `stdout` is a variable to C, and nobody here sets it.
@unsafe @preconcurrency import Glibc

/// The standard output of a command, which has what it was asked for.
enum StandardOutput {
    /// Brings what was printed to where it goes, and fails where any of it is lost: a script that reads 0 has all of it.
    ///
    /// Nobody reads a pipe that was closed on purpose, as `head` does: that is no failure.
    static func finish() throws(Failure) {
        // Of output that did not fit a buffer nobody knows the reason any more, only that there was one.
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
