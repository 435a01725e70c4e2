import HostFleet
import Postgres
import TestSupport
import Testing

@Test(.enabled(if: PostgresNode.isInstalled, Comment(rawValue: PostgresNode.lack)), .waits)
func `what three hosts over PostgreSQL accepted is in the journal of each of them, in order, once, whoever was killed`()
    throws
{
    let node = try PostgresNode()
    let url = node.url
    try HostFleet.run { _ in
        try PostgresLog(of: "hosts", at: url)
    } whileFirstIsGone: {
        // The server with it, which forgets nothing.
        node.kill()
        try node.start()
    }
}
