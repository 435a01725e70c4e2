import Storage
import TestSupport
import Testing
import Transport
import Wire

@testable import forme

@Test(.waits) func `a coordinator that ran out of room begins anew when there may be some, unless it is told to stop`()
    throws
{
    let folder = try TemporaryFolder()
    let endpoints = Endpoints(folder: folder.path)
    let stop = try Mailbox<Int>()
    let room = RoomWait(
        in: DataFolder(folder.path), at: endpoints, Access(), limits: RequestLimits(), until: [stop.source], longest: 1)
    let full = StorageError.full(path: folder.file("replica.db"))
    let beginsAnew = try room.restLonger(after: full)
    // The sockets are for the next process.
    #expect(beginsAnew && nobodyListens(at: endpoints.events) && nobodyListens(at: endpoints.operators))
    stop.post(1)
    let goesOn = try room.restLonger(after: full)
    #expect(!goesOn)
}
