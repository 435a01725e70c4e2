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

@Test(arguments: [
    ("/k/client.key", ENOENT, "make it with forme keys make"),
    ("/k/allowed.json5", ENOENT, "make it with forme keys make"),
    ("/k/client.key", EACCES, "run this as the user whose file it is"), ("/etc/forme.json5", ENOENT, "check the path"),
    ("/etc/forme.json5", EACCES, "run this as the user whose file it is"), ("/k/client.key", EIO, "the disk"),
])
func `what to do about a file of keys or settings fits the reason why it cannot be read`(
    path: String, code: Int32, advice: String
) {
    let sentence = Failure(SettingsError.unreadable(path: path, code: code)).sentence
    #expect(sentence.hasPrefix("\(path) cannot be read: ") && sentence.contains(advice), "\(sentence)")
    #expect(sentence.contains("forme keys make") == (code == ENOENT && path.hasPrefix("/k/")), "\(sentence)")
}

@Test func `another error of the kernel names its file`() {
    let sentence = Failure(SettingsError.unreadable(path: "/etc/forme/client.key", code: EACCES)).sentence
    #expect(sentence.hasPrefix("/etc/forme/client.key cannot be read"))
}
