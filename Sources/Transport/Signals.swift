import CZMQ
import Glibc

/// Signals as a source to wait for, instead of interruptions. They are made first, before any thread: threads and
/// child processes inherit the block of these signals (`ChildProcess` lets its own be ended all the same).
@safe package final class Signals {
    private let descriptor: Int32

    package init(_ numbers: [Int32]) throws(TransportError) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = unsafe forme_signalfd(&set)
        guard descriptor >= 0 else { throw .system(call: "signalfd", code: errno, endpoint: "") }
    }

    deinit { close(descriptor) }

    package var source: Source { Source(kind: .descriptor(descriptor, owner: self)) }

    /// Signals that arrived since the last time.
    package func takeAll() -> [Int32] {
        var numbers: [Int32] = []
        var info = signalfd_siginfo()
        while unsafe read(descriptor, &info, MemoryLayout.size(ofValue: info)) > 0 {
            numbers.append(Int32(info.ssi_signo))
        }
        return numbers
    }
}
