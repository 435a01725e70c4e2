import Foundation
import TestSupport
import Testing

@testable import Operations

@Test func `a child that says how it is is heard by whoever listens at its address`() throws {
    let inbox = try #require(NotificationInbox())
    let manager = ServiceManager(address: inbox.address, watchdog: nil)
    #expect(inbox.takeAll().isEmpty)
    manager.ready("listening\nWATCHDOG=1")
    manager.status("busy")
    manager.reloading()
    manager.extend(by: .seconds(15))
    manager.renew()
    manager.stopping("done")
    // Datagrams of one machine are there when they have been sent.
    #expect(inbox.takeAll() == [.ready, .renew, .stopping])
}

@Test func `a word of somebody who only found the socket of a child is not heard`() throws {
    let inbox = try #require(NotificationInbox())
    let name = String(try #require(inbox.address.split(separator: "#").first))
    for address in [name, name + "#", name + "#0"] { ServiceManager(address: address, watchdog: nil).dismissed() }
    #expect(inbox.takeAll().isEmpty)
    ServiceManager(address: inbox.address, watchdog: nil).dismissed()
    #expect(inbox.takeAll() == [.dismissed])
}

@Test func `a reload does not make a process ready that has not begun its work, or has ended it`() throws {
    let inbox = try #require(NotificationInbox())
    let manager = ServiceManager(address: inbox.address, watchdog: nil)
    func reload() -> [NotificationInbox.Word] {
        manager.reloading()
        manager.reloaded()
        return inbox.takeAll()
    }
    #expect(reload().isEmpty)
    manager.ready("listening")
    #expect(inbox.takeAll() == [.ready])
    #expect(reload() == [.ready])
    manager.stopping("finishing")
    #expect(inbox.takeAll() == [.stopping])
    #expect(reload().isEmpty)
}

@Test func `signs of life are sent only where they are wanted, and no more often than that`() throws {
    let inbox = try #require(NotificationInbox())
    let asked = ServiceManager(address: inbox.address, watchdog: 3_600_000_000)
    for _ in 0..<100 { asked.isAlive() }
    #expect(inbox.takeAll() == [.alive])
    let eager = ServiceManager(address: inbox.address, watchdog: 0)
    for _ in 0..<3 { eager.isAlive() }
    #expect(inbox.takeAll() == [.alive, .alive, .alive])
    ServiceManager(address: inbox.address, watchdog: nil).isAlive()
    #expect(inbox.takeAll().isEmpty)
}

@Test func `what is said is what systemd reads`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("notify")
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var address = try #require(UnixAddress(path))
    #expect(unsafe address.withPointer { unsafe bind(descriptor, $0, $1) } == 0)
    let manager = ServiceManager(address: path, watchdog: nil)
    manager.ready("two lines\nof it")
    manager.extend(by: .milliseconds(1500))
    manager.reloading()
    var said: [String] = []
    for _ in 0..<3 {
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        said.append(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
    }
    #expect(said[0] == "READY=1\nSTATUS=two lines of it" && said[1] == "EXTEND_TIMEOUT_USEC=1500000")
    #expect(said[2].hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
}

@Test(arguments: ["", "@", "/", "relative", "@" + String(repeating: "x", count: 200), "vsock:1:2"])
func `an address that cannot be is no reason to fail`(text: String) {
    ServiceManager(address: text, watchdog: nil).ready("x")
    if text != "/" { #expect(UnixAddress(text) == nil) }
}
