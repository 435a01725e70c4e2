import Console
import Foundation
import Settings
import Testing
import Transport

@Test(
    arguments: [
        TransportError.system(call: "zmq_socket", code: EMFILE, endpoint: ""),
        SettingsError.unreadable(path: "/etc/forme/client.key", code: EMFILE),
    ] as [any Error])
func `too many open files are told with the limit and its names, and no file is blamed`(error: any Error) {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let sentence = Failure(error).sentence
    #expect(sentence.contains("open as it may, \(limit.rlim_cur); raise 'ulimit -n' (LimitNOFILE"))
    #expect(!sentence.contains("zmq_socket") && !sentence.contains("client.key"))
}

@Test func `another error of the kernel names its file`() {
    let sentence = Failure(SettingsError.unreadable(path: "/etc/forme/client.key", code: EACCES)).sentence
    #expect(sentence.hasPrefix("/etc/forme/client.key cannot be read"))
}
