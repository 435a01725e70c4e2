import Bytes
import Daemons
import FormeClientZMQ
import FormeLayout
import Foundation
import HTTP
import JSON
import Operations
import Secrets
import Settings
import Shaping
import Storage
import Transport
import Wire

/// The reason why a command ends without having done its work: a code for scripts, and a sentence with advice.
package struct Failure: Error {
    package enum Code: Int32, Sendable {
        case failed = 1
        case usage = 2
        case unavailable = 69
        case inputOutput = 74
        case refused = 77
    }

    package let code: Code
    package let sentence: String
    /// The command whose help says more; nil where no help does.
    package let manual: String?

    package init(_ code: Code, _ sentence: String, manual: String? = nil) {
        (self.code, self.sentence, self.manual) = (code, sentence, manual)
    }

    package init(_ error: any Error) {
        // The file that it was to be is not to blame.
        if let sentence = kernelCode(of: error).flatMap(OpenFiles.shortage) {
            self.init(.failed, sentence)
            return
        }
        switch error {
        case let failure as Failure: self = failure
        case let error as TransportError: self.init(error)
        case let error as StorageError: self.init(error)
        case let error as ClientError: self.init(error)
        case let error as DaemonError: self.init(error)
        // Another start would end in the same way.
        case let error as UnevenPartitions: self.init(.inputOutput, "\(error)")
        case StyleFiles.Problem.lacksFace, StyleFiles.Problem.tooWide: self.init(.failed, "\(error)")
        case let error as StyleFiles.Problem: self.init(.inputOutput, "\(error)")
        case let error as HTTPError: self.init(error)
        case let error as SecretsError: self.init(.inputOutput, "\(error)")
        case let error as FontError: self.init(.inputOutput, "\(error)")
        case let error as SettingsError: self.init(error)
        case let error as JSONError: self.init(.failed, "\(error)")
        case let error as ByteError: self.init(.failed, "a value cannot be used: \(error)")
        case let error as CocoaError: self.init(error)
        default: self.init(.failed, "\(error)")
        }
    }

    private init(_ error: TransportError) {
        switch error {
        case .taken(let endpoint):
            self.init(
                .unavailable,
                "\(endpoint) is taken; is another Forme running there? Stop it, or choose another "
                    + (endpoint.hasPrefix("ipc://") ? "--data" : "port"))
        case .notHere(let endpoint):
            self.init(
                .usage, "\(endpoint) is no address of this machine; choose one that 'ip address' lists")
        case .badEndpoint(let endpoint):
            self.init(
                .usage,
                "\(endpoint) cannot be listened at or called; give HOST:PORT, such as 127.0.0.1:7300")
        case .pathTooLong(let endpoint, let limit):
            self.init(
                .usage,
                "\(endpoint) is longer than the \(limit) bytes a socket may have; use a shorter --data, or --listen")
        case .notPermitted(let endpoint):
            self = .forbidden(
                endpoint, at: endpoint.hasPrefix("ipc://") ? String(endpoint.dropFirst(6)) : endpoint,
                or: "check the owner and mode of the folder")
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
        case .outOfMemory(let bytes, let ceiling):
            self.init(
                .failed,
                "this process has \(bytes >> 20) MiB of memory, and may have \(ceiling >> 20); it ends, to be started again. "
                    + "Did a peer send a message without an end? Raise memory in the configuration if not")
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
        case .notAccessible(let path, EACCES), .notReadable(let path, EACCES): self = .forbidden(path, at: path)
        case .notAccessible(let path, let code):
            self.init(
                .inputOutput,
                "\(path) cannot be written: \(reason(code)); check the path, its owner and the disk")
        case .notReadable(let path, let code):
            self.init(
                .inputOutput,
                "\(path) cannot be read: \(reason(code)); run this as the user of the service, or check owner and mode"
            )
        case .tooOpen(let path, let mode):
            self.init(
                .inputOutput,
                "\(path) belongs to another user and has mode \(String(mode, radix: 8)), so that others can enter it; have its owner "
                    + "chmod 700 it, or name a folder of this user")
        case .absent(let path):
            self.init(
                .unavailable, "\(path) does not exist; check the path, or start forme serve there first")
        case .foreignLog(let path):
            self.init(
                .inputOutput,
                "\(path)-wal is not the log of \(path): one of them was copied here by hand. Nothing was changed. If \(path) is the "
                    + "one to go on with, move \(path)-wal and \(path)-shm away and start again; else put back the \(path) that "
                    + "belongs to the log. forme restore never leaves such a pair")
        case .brokenLog(let path, let problem):
            self.init(
                .inputOutput,
                "\(path) is not the log that this journal has had: \(problem). Nothing was changed. Put back what was there, or "
                    + "restore a backup with forme restore FILE FOLDER")
        case .notSynced(let path, let code):
            self.init(
                .inputOutput,
                "\(path) could not be brought to the disk: \(reason(code)). What was acknowledged is there; check the disk, then "
                    + "start again")
        case .otherShards(let path, let own):
            self.init(
                .inputOutput,
                "\(path) has \(own) shards, and the host that owns the log of the cluster has another number of them. Give all hosts "
                    + "the same shards in the configuration; a folder keeps its number, so start a host that had another one with "
                    + "an empty folder, which it fills from the others")
        case .otherPartitions(let path, let own, let asked):
            self.init(
                .inputOutput,
                "\(path) is of a cluster whose log has \(own) partition\(own == 1 ? "" : "s"), and \(asked) are asked for. A cluster "
                    + "keeps the number that it began with: start all hosts with partitions \(own)")
        case .besideLog(let path, let entries, let ofLog):
            self.init(
                .inputOutput,
                "\(path) has \(entries) entries, and by replica.db beside it the log of the cluster has brought \(ofLog): the service "
                    + "ran here without --cluster, or one of the two was put back by hand. Keep a backup of the folder, start this "
                    + "host with an empty one, which it fills from the others, and post again what was accepted here alone"
            )
        case .missingJournal(let path):
            self.init(
                .inputOutput,
                "\(path) is missing, and manifest.json says that there was one: is the disk mounted? Restore a backup with forme "
                    + "restore FILE FOLDER; or, to begin with nothing, remove manifest.json, too")
        case .notABackup(let path, let problem):
            self.init(
                .inputOutput,
                "\(path) is no backup that can be restored: \(problem). Nothing was changed; take another one"
            )
        case .notReplaced(let path, let reason):
            self.init(.inputOutput, "\(path) is not overwritten: \(reason); name another file")
        case .foreignFolder(let path, let name):
            self.init(
                .inputOutput,
                "\(path) has other things in it (\(name)) and nothing of Forme; name a folder of data, or an empty or missing one"
            )
        case .unfinishedRestore(let path):
            self.init(
                .inputOutput,
                "a restore into \(path) was interrupted when all was there but some names; forme serve ends it when it starts, and "
                    + "forme restore begins it again")
        case .foreignFormat(let path, let found, let expected):
            self.init(
                .inputOutput,
                "\(path) has format \(found), not \(expected); use the forme that made it, or another --data")
        case .newerFormat(let path, let format, let found, let newest):
            self.init(
                .inputOutput,
                "\(path) says that a newer release has this folder: \(format) of version \(found), and this one knows \(newest). Nothing was "
                    + "changed; install that release again, or name another --data")
        case .notTakenAlong(let path, let problem, let kept):
            self.init(
                .inputOutput,
                "\(path) was taken along from an earlier release, and does not have what was there: \(problem). As it was it lies in "
                    + "\(kept); put that in its place for the release before, keep both, and tell the makers")
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

    /// A failure of Foundation with a file. Commands that name files tell most of these themselves, with a code that
    /// fits.
    private init(_ error: CocoaError) {
        let cause = unsafe (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code
        let words = cause.map { reason(Int32($0)) } ?? "error \(error.code.rawValue)"
        self.init(
            .failed,
            "\(error.filePath ?? "a file") cannot be read or written: \(words); check the path, its owner and the disk")
    }

    private init(_ error: SettingsError) {
        switch error {
        case .unreadable(let path, EINVAL):
            self.init(.inputOutput, "\(path) is a folder or a device; name a file")
        case .unreadable(let path, EACCES):
            self.init(
                .inputOutput,
                "\(path) cannot be read: \(reason(EACCES)); run this as the user whose file it is, or check its owner and mode"
            )
        case .unreadable(let path, ENOENT) where path.hasSuffix(".key") || path.hasSuffix("/allowed.json5"):
            self.init(
                .inputOutput,
                "\(path) cannot be read: \(reason(ENOENT)); check the path, or make it with forme keys make")
        case .unreadable(let path, let code):
            self.init(.inputOutput, "\(path) cannot be read: \(reason(code)); check the path and the disk")
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
            if let forbidden = Self.forbidden(endpoint) {
                self = forbidden
                return
            }
            self.init(
                .unavailable, "no answer from \(endpoint); is forme serve running with the same --data or --listen?")
        case .unreadable(let endpoint): self.init(.failed, "\(endpoint) answers as no Forme does; check the address")
        case .requestRefused(let endpoint, let reason):
            self.init(
                .failed,
                "\(endpoint) does not take one event by itself: \(reason); nothing of it was kept, and it is to be sent again"
            )
        case .transport(let error): self.init(error)
        }
    }

    /// The failure for a socket in a folder that the user may not call, so that nobody answers; nil where that is not
    /// the reason.
    package static func forbidden(_ endpoint: String) -> Failure? {
        guard endpoint.hasPrefix("ipc://") else { return nil }
        let path = String(endpoint.dropFirst(6))
        guard unsafe access(path, R_OK | W_OK) != 0, errno == EACCES else { return nil }
        return forbidden(endpoint, at: path, or: "check owner and mode of the folder")
    }

    private init(_ error: DaemonError) {
        switch error {
        case .cannotSpawn(let code): self.init(.failed, "a child process cannot be started: \(reason(code))")
        case .cannotKeep(let path, let code):
            self.init(.inputOutput, "\(path) cannot be written: \(reason(code)); choose another --cache")
        case .turnedAway(let reason): self.init(.refused, "the coordinator turned this worker away: \(reason)")
        case .cannotStart(let command, let status, let reason):
            let code: Code = if case .exited(let number) = status { Code(rawValue: number) ?? .failed } else { .failed }
            self.init(code, reason ?? "\(command) does not stay up (\(status)); its messages are above")
        }
    }
}

/// The number that the kernel gave for a file or a connection; nil where something else failed.
private func kernelCode(of error: any Error) -> Int32? {
    switch error {
    case ClientError.transport(let error): kernelCode(of: error)
    case TransportError.system(_, let code, _): code
    case StorageError.notAccessible(_, let code), StorageError.notReadable(_, let code): code
    case HTTPError.system(_, let code), HTTPError.unreadable(_, let code): code
    case SettingsError.unreadable(_, let code), SettingsError.notWritable(_, let code): code
    case SecretsError.unreadable(_, let code), SecretsError.unwritable(_, let code): code
    case FontError.unreadable(_, let code): code
    case DaemonError.cannotSpawn(let code), DaemonError.cannotKeep(_, let code): code
    default: nil
    }
}

private func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
