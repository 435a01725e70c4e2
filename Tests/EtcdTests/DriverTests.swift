import Etcd
import HostFleet
import Storage
import TestSupport
import Testing

@Test(.enabled(if: EtcdNodes.isInstalled, Comment(rawValue: EtcdNodes.lack)), .waits)
func `what three hosts over etcd accepted is in the journal of each of them, in order, once, whoever was killed`()
    throws
{
    let nodes = try EtcdNodes()
    let urls = nodes.urls
    try HostFleet.run { host in
        try EtcdLog(of: "hosts", at: (0..<3).map { urls[($0 + host) % 3] })
    } whileFirstIsGone: {
        // The engine loses a node with it.
        nodes.kill(0)
    } after: {
        try nodes.start(0)
    }
}

@Test(.waits) func `the same over a log that processes of one machine share`() throws {
    let folder = try TemporaryFolder()
    try HostFleet.run { _ in try LocalLog.open(path: folder.file("log.db")) }
}
