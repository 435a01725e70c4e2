package import Daemons
import Foundation
package import Names
import Pool
package import Replication
import Storage
import Synchronization
import TestSupport
import Testing
import Transport
import Wire

/// Three hosts of one cluster, each a driver on a thread of its own, with disks of their own, over one engine.
package final class HostFleet: Sendable {
    package let hosts: [HostID]
    package let map = PartitionMap(partitions: 2, shards: 4)!
    private let folder: TemporaryFolder
    private let running = Mutex<[HostID: Running]>([:])
    private let heard = Mutex<[HostNews]>([])

    private struct Running {
        let letters: Mailbox<HostLetter>
        let ended = DispatchSemaphore(value: 0)
    }

    package init() throws {
        hosts = try ["a", "b", "c"].map { try HostID($0) }
        folder = try TemporaryFolder()
    }

    package var partitions: [Partition] { (0..<map.partitions).map { Partition(UInt16($0)) } }
    package var news: [HostNews] { heard.withLock { $0 } }

    /// - Parameter open: the log; called on the driver's thread.
    package func start<Log: AwaitedLog & SendableMetatype & ~Copyable>(
        _ host: HostID, _ open: @escaping @Sendable () throws -> Log
    ) throws {
        let process = Running(letters: try Mailbox())
        running.withLock { $0[host] = process }
        var plan = HostPlan(host: host, hosts: hosts, cluster: ClusterID(7), map: map)
        plan.limits.silence = .milliseconds(800)
        plan.limits.step = .milliseconds(300)
        plan.limits.beat = .milliseconds(250)
        let voice = HostVoice { [weak self] word, other in
            self?.letters(of: other)?.post(.word(word))
        } news: { [weak self] news in
            self?.heard.withLock { $0.append(news) }
        }
        Thread.detachNewThread { [plan] in
            do {
                let data = try self.data(of: host)
                var driver = try HostDriver(
                    plan, open(), letters: process.letters, voice: voice, settings: JournalSettings()
                ) {
                    DataFolder(data + "/\($0.number)")
                }
                try driver.run()
            } catch { Issue.record("host \(host) ended: \(error)") }
            process.ended.signal()
        }
    }

    private func data(of host: HostID) throws -> String {
        let path = folder.file(host.text)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return path
    }

    func letters(of host: HostID) -> Mailbox<HostLetter>? { running.withLock { $0[host]?.letters } }

    /// Ends a host. Questions that wait there are never answered, as when its process is killed.
    package func kill(_ host: HostID) {
        guard let process = running.withLock({ $0.removeValue(forKey: host) }) else { return }
        process.letters.post(.end)
        process.ended.wait()
    }

    package func view(of host: HostID, _ partition: Partition) -> HostView? {
        answer(from: host) { reply in .look(partition) { reply($0) } }
    }

    package func owner(of partition: Partition) -> HostID? {
        hosts.first { view(of: $0, partition)?.standing == .owning }
    }

    /// The answer of a host; nil where it is not there, or does not answer.
    private func answer<Answer: Sendable>(
        from host: HostID, _ letter: (@escaping @Sendable (Answer) -> Void) -> HostLetter
    ) -> Answer? {
        guard let letters = letters(of: host) else { return nil }
        let (answer, isThere) = (Box<Answer>(), DispatchSemaphore(value: 0))
        letters.post(
            letter { value in
                answer.value.withLock { $0 = value }
                isThere.signal()
            })
        _ = isThere.wait(timeout: .now() + 4)
        return answer.value.withLock { $0 }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// Waits until every log was begun, and somebody owns it.
    package func settle() throws {
        let end = ContinuousClock.now + patience
        for partition in partitions {
            while owner(of: partition) == nil {
                try #require(.now < end, "nobody owns \(partition)")
                if view(of: hosts[0], partition)?.standing == .stopped {
                    letters(of: hosts[0])?.post(.adopt(partition))
                }
            }
        }
    }

    /// Posts as a producer does: to the owner of the partition, until it is accepted.
    package func post(_ texts: [String], to conversation: ConversationID) throws {
        let partition = map.partition(of: conversation)
        let request = IngestRequest(
            events: try texts.map { .success(try event($0, conversation)) } as [Result<MessageEvent, EventFault>])
        var (host, end) = (hosts.randomElement()!, ContinuousClock.now + patience)
        while true {
            try #require(.now < end, "nobody accepts")
            switch answer(from: host, { reply in .post(request, partition) { reply($0) } }) as HostAnswer? {
            case .elsewhere(let owner): host = owner == host ? hosts.randomElement()! : owner
            case .answers(let answers):
                if answers.allSatisfy({ $0 == .accepted || $0 == .duplicate }) { return }
                for answer in answers { if case .invalid = answer { Issue.record("\(answer)") } }
                host = hosts.randomElement()!
            case nil: host = hosts.randomElement()!
            }
        }
    }

    private func event(_ text: String, _ conversation: ConversationID) throws -> MessageEvent {
        let body = MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 5), content: Array(text.utf8))
        return MessageEvent(
            conversation: conversation, message: try MessageID(text), revision: Revision(1), body: body,
            order: Int64(text.dropFirst()) ?? 0)
    }

    /// Waits until all hosts have the same of every log.
    package func level() throws {
        let end = ContinuousClock.now + patience
        for partition in partitions {
            while true {
                let positions = Set(hosts.map { view(of: $0, partition)?.anchor.next.number })
                if positions.count == 1, positions != [nil] { break }
                try #require(.now < end, "hosts do not come to the same: \(positions)")
            }
        }
    }

    /// Texts of all messages in the journal of a host that has ended, in their order.
    package func texts(of host: HostID, _ partition: Partition) throws -> [String] {
        let folder = DataFolder(try data(of: host) + "/\(partition.number)")
        var journal = try SQLiteJournal(in: folder, settings: JournalSettings(shards: map.shards))
        try journal.catchUp(with: ReplicaRecords(path: folder.file(ReplicaRecords.name)))
        var texts: [String] = []
        for place in 0..<journal.nextPosition.number {
            let body = try #require(try journal.body(at: LogPosition(place)))
            texts.append(String(decoding: body.content, as: UTF8.self))
        }
        return texts
    }
}
