import CMicroHTTPD
import Glibc

/// A certificate chain and its key as text, wiped when the server has taken them.
struct CertificateText: ~Copyable {
    private let key: [UInt8]
    private let chain: [UInt8]

    init(_ files: ServerOptions.Certificate) throws(HTTPError) {
        let chain = try contents(files.path, onlyOwner: false)
        key = try contents(files.key, onlyOwner: true)
        self.chain = chain
    }

    deinit {
        // The array is not shared, so the bytes that are overwritten here are the only copy.
        unsafe key.withUnsafeBytes {
            unsafe explicit_bzero(UnsafeMutableRawPointer(mutating: $0.baseAddress!), $0.count)
        }
    }

    @unsafe func withPointers<Result>(
        _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Result
    ) -> Result {
        unsafe key.withUnsafeBytes { key in
            unsafe chain.withUnsafeBytes { chain in
                unsafe body(
                    key.baseAddress!.assumingMemoryBound(to: CChar.self),
                    chain.baseAddress!.assumingMemoryBound(to: CChar.self))
            }
        }
    }
}

/// Returns the bytes of a small file, with a zero byte behind them.
private func contents(_ path: String, onlyOwner: Bool) throws(HTTPError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, code: errno) }
    if onlyOwner, status.st_mode & 0o077 != 0 { throw .exposedKey(path: path) }
    guard 0...1 << 20 ~= status.st_size else { throw .unreadable(path: path, code: EFBIG) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var length = 0
    while length < bytes.count - 1 {
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress! + length, $0.count - 1 - length)
        }
        guard count >= 0 else { throw .unreadable(path: path, code: errno) }
        if count == 0 { break }
        length += count
    }
    return bytes
}
