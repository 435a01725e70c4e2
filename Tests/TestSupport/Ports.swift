import Glibc
import Synchronization

/// Ports of this machine that no other process of these tests is given, for programs that have to be told theirs: a
/// port that was free when somebody looked is another's a moment later. `Tests/Ports/ports.py` is the same for Python.
///
/// There are a thousand blocks of twenty ports, below those that the kernel gives to clients. A block is of the process
/// that holds the lock of its file, until that process ends, however it does.
package enum Ports {
    package struct Failure: Error {
        let call: String
        let code: Int32
    }

    private static let (first, blocks, size) = (12_000, 1_000, 20)
    /// Ports of the newest block of this process that were not given away.
    private static let left = Mutex<[Int]>([])

    /// The first of as many ports as a service listens at.
    package static func five() throws -> Int { try row(of: 5) }

    package static func one() throws -> UInt16 { UInt16(try row(of: 1)) }

    /// The first of so many ports in a row, each of which is given once.
    package static func row(of count: Int) throws -> Int {
        try left.withLock { left in
            while true {
                while left.count >= count {
                    let start = left.removeFirst()
                    if left.prefix(count - 1).elementsEqual(start + 1..<start + count) {
                        left.removeFirst(count - 1)
                        return start
                    }
                }
                left = try takeBlock()
            }
        }
    }

    /// The ports of a block that is this process's from now on, but for those that somebody has.
    private static func takeBlock() throws -> [Int] {
        let folder = "/tmp/forme-ports-\(getuid())"
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Failure(call: "mkdir", code: errno) }
        for block in (0..<blocks).shuffled() {
            // Never closed: the lock ends with this process, and is of no process that it starts.
            let file = unsafe open("\(folder)/\(block)", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Failure(call: "open", code: errno) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                close(file)
                continue
            }
            return (first + block * size..<first + (block + 1) * size).filter(isFree)
        }
        throw Failure(call: "flock", code: EWOULDBLOCK)
    }

    /// Whether nobody listens there, at any address: somebody else may know nothing of blocks.
    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
