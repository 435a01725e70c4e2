import Glibc
import Storage

/// This machine and its boot: process ids are unique only within one.
enum Machine {
    static func name() throws(StorageError) -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        _ = unsafe gethostname(&bytes, bytes.count - 1)
        let host = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(host)/\(try FileFacts.bootID())"
    }
}
