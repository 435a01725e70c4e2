import Daemons
import FormeClientZMQ
import FormeLayout
import Foundation
import HTTP
import JSON
import Secrets
import Settings
import Shaping
import Storage
import Transport
import Wire

/// Why a command ends without having done its work: a code for scripts, and a sentence that says what to do.
struct Failure: Error {
    enum Code: Int32 {
        case failed = 1
        case usage = 2
        case unavailable = 69
        case inputOutput = 74
        case refused = 77
    }

    let code: Code
    let sentence: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as TransportError: self.init(error)
        case let error as StorageError: self.init(error)
        case let error as ClientError: self.init(error)
        case let error as DaemonError: self.init(error)
        case let error as StyleFiles.Problem: self.init(.inputOutput, "\(error)")
        case let error as HTTPError: self.init(error)
        case let error as SecretsError: self.init(.inputOutput, "\(error)")
        case let error as FontError: self.init(.inputOutput, "\(error)")
        case let error as SettingsError: self.init(error)
        case let error as JSONError: self.init(.failed, "\(error)")
        case let error as WireError: self.init(.failed, "a value cannot be used: \(error)")
        default: self.init(.failed, "\(error)")
        }
    }

    private init(_ error: TransportError) {
        switch error {
        case .taken(let endpoint):
            self.init(
                .unavailable,
                "\(endpoint) is taken; is another Forme running there? Stop it, or choose another --listen")
        case .badEndpoint(let endpoint):
            self.init(
                .usage,
                "\(endpoint) is not an address of this machine; give --listen as HOST:PORT, such as 127.0.0.1:7300")
        case .pathTooLong(let endpoint, let limit):
            self.init(
                .usage,
                "\(endpoint) is longer than the \(limit) bytes a socket may have; use a shorter --data, or --listen")
        case .notPermitted(let endpoint):
            self.init(
                .inputOutput, "\(endpoint) may not be opened by this user; check the owner and mode of the folder")
        case .unprotected(let endpoint):
            self.init(
                .usage,
                "\(endpoint) can be reached by others, and no keys are given; make them with forme keys make, and name them "
                    + "with --keys or --key. Read: forme help keys")
        case .notAdmitted(let endpoint):
            self.init(
                .refused,
                "\(endpoint) does not admit this key; have it allowed there, in a role for this endpoint, with forme keys "
                    + "allow")
        case .wrongServerKey(let endpoint):
            self.init(
                .refused,
                "\(endpoint) does not have the server key that is expected, or uses none; compare forme keys show on both sides, and "
                    + "trust the service's key with forme keys trust, if it is the service")
        case .otherSecurity(let endpoint):
            self.init(
                .refused, "\(endpoint) and this command do not both use keys; name a key with --key, or leave it out")
        case .system(let call, let code, let endpoint):
            self.init(.failed, "\(call) \(endpoint) failed: \(reason(code))")
        }
    }

    private init(_ error: HTTPError) {
        let code: Code =
            switch error {
            case .addressTaken: .unavailable
            case .badAddress, .addressNotHere: .usage
            case .notPermitted, .unreadable, .exposedKey, .badCertificate: .inputOutput
            case .tooFewFiles, .system: .failed
            }
        self.init(code, "\(error)")
    }

    private init(_ error: StorageError) {
        switch error {
        case .inUse(let path):
            self.init(
                .unavailable,
                "\(path) is locked; is another coordinator using this folder? Stop it, or choose another --data")
        case .notAccessible(let path, let code):
            self.init(
                .inputOutput, "\(path) cannot be written: \(reason(code)); check the path, its owner and the disk")
        case .absent(let path):
            self.init(.unavailable, "\(path) does not exist yet; start forme serve first")
        case .foreignFormat(let path, let found, let expected):
            self.init(
                .inputOutput,
                "\(path) has format \(found), not \(expected); use the forme that made it, or another --data")
        case .unreadable(let path, let problem):
            self.init(.inputOutput, "\(path) cannot be read: \(problem); restore it, or use another --data")
        case .full(let path):
            self.init(
                .inputOutput, "there is no room left for \(path); free some, and everything goes on where it was")
        case .corrupt(let path, let finding):
            self.init(
                .inputOutput,
                "\(path) is damaged (\(finding)); a shard mends itself, a journal is restored from its backup")
        case .blocked(let path, let process):
            self.init(
                .unavailable,
                process.map { "\(path) is held by process \($0), which does not go on; continue it, or end it" }
                    ?? "\(path) is locked by a program that is not Forme; close it")
        case .logTooLong(let path, let bytes):
            self.init(
                .inputOutput,
                "\(path)-wal has grown to \(bytes) bytes, as some reader does not come to an end; find and restart it")
        case .sqlite(let path, let code, let message):
            self.init(
                .inputOutput,
                "\(path): \(message) (SQLite \(code)); check the disk, its space and the owner of the file")
        case .damaged(let path, let error):
            self.init(.inputOutput, "\(path) holds a value that cannot be read (\(error)); restore it from a backup")
        }
    }

    private init(_ error: SettingsError) {
        switch error {
        case .unreadable(let path, let code):
            let hint = path.hasSuffix(".key") ? "; forme keys make makes keys" : ""
            self.init(.inputOutput, "\(path) cannot be read: \(reason(code))\(hint)")
        case .notWritable(let path, let code):
            self.init(
                .inputOutput, "\(path) cannot be written: \(reason(code)); check its folder, its owner and the disk")
        case .tooOpen(let path, let mode):
            let wanted = path.hasSuffix(".key") ? "600" : "go-w"
            self.init(
                .inputOutput,
                "\(path) has mode \(String(mode, radix: 8)), so that others than its owner decide with it; chmod \(wanted) it, and "
                    + "make a new key if others could read this one")
        case .foreignOwner(let path):
            self.init(.inputOutput, "\(path) belongs to another user; chown it to the one who runs this")
        case .notAKeyFile(let path):
            self.init(.inputOutput, "\(path) is no file of keys, or a damaged one; forme keys make makes them")
        case .exists(let path):
            self.init(.failed, "\(path) is there already, and is not overwritten; to change a key: forme help keys")
        case .editByHand(let path):
            self.init(.failed, "\(path) is not written a line for each entry; change it by hand")
        }
    }

    private init(_ error: ClientError) {
        switch error {
        case .noAnswer(let endpoint):
            self.init(
                .unavailable, "no answer from \(endpoint); is forme serve running with the same --data or --listen?")
        case .refused(.malformed): self.init(.failed, "the service did not understand; is its version the same?")
        case .refused(.unavailable):
            self.init(.unavailable, "the cache cannot be read just now; see the gateway's messages")
        case .refused(.unprepared):
            self.init(
                .failed,
                "the conversation is not laid out for that target and variant; ask for one of the style that serves it")
        case .unreadable(let endpoint): self.init(.failed, "\(endpoint) answers as no Forme does; check the address")
        case .transport(let error): self.init(error)
        }
    }

    private init(_ error: DaemonError) {
        switch error {
        case .cannotSpawn(let code): self.init(.failed, "a child process cannot be started: \(reason(code))")
        case .keepsFailing(let command, let status):
            let code: Code = if case .exited(let number) = status { Code(rawValue: number) ?? .failed } else { .failed }
            self.init(code, "\(command) does not stay up (\(status)); its messages are above")
        }
    }
}

private func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
