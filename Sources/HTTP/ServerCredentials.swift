import CMicroHTTPD
import Glibc

/// A certificate chain and its key as GnuTLS holds them, for as long as a connection shows them.
@safe final class ServerCredentials {
    private let raw: gnutls_certificate_credentials_t

    init(_ files: ServerOptions.Certificate) throws(HTTPError) {
        let text = try CertificateText(files)
        let made = unsafe text.withPointers { key, chain in unsafe forme_tls_credentials(chain, key) }
        guard let made = unsafe made else { throw .badCertificate(path: files.path, key: files.key) }
        unsafe raw = unsafe made
    }

    deinit { unsafe gnutls_certificate_free_credentials(raw) }

    /// Sets the certificate that a client is shown in its handshake.
    @unsafe func show(to connection: OpaquePointer) { unsafe forme_tls_show(connection, raw) }
}

/// The certificate that a server shows, read again when its files change: certificates are renewed every few weeks, and
/// connections stand for longer.
struct ShownCertificate {
    private let files: ServerOptions.Certificate
    private(set) var credentials: ServerCredentials
    private var stamps: [FileStamp]
    /// The error that keeps the present files from being shown; nil while they are shown.
    private(set) var trouble: HTTPError?

    init(_ files: ServerOptions.Certificate) throws(HTTPError) {
        self.files = files
        stamps = FileStamp.all(of: files)
        credentials = try ServerCredentials(files)
    }

    /// Reads the files again if they have changed. A handshake that has begun goes on with the certificate it was
    /// shown. While the files do not belong together, for instance while one of them is being replaced, the ones
    /// before are shown.
    mutating func refresh() {
        let now = FileStamp.all(of: files)
        guard now != stamps || trouble != nil else { return }
        do throws(HTTPError) {
            credentials = try ServerCredentials(files)
            trouble = nil
        } catch {
            trouble = error
        }
        stamps = now
    }
}

private struct FileStamp: Equatable {
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    static func all(of files: ServerOptions.Certificate) -> [FileStamp] {
        [files.path, files.key].map { path in
            var status = stat()
            guard unsafe stat(path, &status) == 0 else {
                return FileStamp(inode: 0, size: 0, seconds: 0, nanoseconds: 0)
            }
            return FileStamp(
                inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec)
        }
    }
}
