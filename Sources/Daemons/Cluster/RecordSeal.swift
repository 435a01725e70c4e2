package import Replication
import Secrets

/// XChaCha20-Poly1305 for records of the cluster's log.
package struct RecordSeal: RecordCipher {
    package init() {}

    package func seal(_ plain: [UInt8], under key: RecordKey, bound: [UInt8]) -> [UInt8] {
        SealedBytes.seal(plain, under: key.bytes, bound: bound)
    }

    package func open(_ sealed: ArraySlice<UInt8>, under key: RecordKey, bound: [UInt8]) -> [UInt8]? {
        SealedBytes.open(sealed, under: key.bytes, bound: bound)
    }
}
