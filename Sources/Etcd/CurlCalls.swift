import CCurl
import Pool

/// Calls over libcurl, many at a time on one thread: HTTP/1.1 on connections that stay open, no redirects, no proxy
/// from the environment.
@safe struct CurlCalls: ~Copyable {
    /// One call: libcurl's handle, and the answer so far.
    @safe private final class Call {
        let handle: UnsafeMutableRawPointer  // of libcurl
        var body: [UInt8] = []
        var isTooLong = false

        init?() {
            guard let handle = unsafe curl_easy_init() else { return nil }
            unsafe self.handle = handle
        }

        deinit { unsafe curl_easy_cleanup(handle) }

        func take(_ bytes: UnsafeRawBufferPointer) -> Int {
            guard body.count + bytes.count <= CallOutcome.mostBytes else {
                isTooLong = true
                return 0
            }
            unsafe body.append(contentsOf: bytes)
            return bytes.count
        }
    }

    private let shared: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    private let urls: [String]
    private let certificates: EtcdCertificates?
    private var away: [CallNumber: Call] = [:]
    private var ended: [(CallNumber, CallOutcome)] = []

    /// The milliseconds after which a node that does not take a connection is given up.
    private static let connecting = 500

    init(_ urls: [String], _ certificates: EtcdCertificates?) throws(EtcdError) {
        guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK, let shared = unsafe curl_multi_init() else {
            throw .library("it does not start")
        }
        unsafe self.shared = shared
        // No "Expect: 100-continue" with a body of more than a megabyte: a second answer would only cost time.
        unsafe headers = curl_slist_append(curl_slist_append(nil, "Content-Type: application/json"), "Expect:")
        (self.urls, self.certificates) = (urls, certificates)
    }

    deinit {
        for call in away.values { unsafe curl_multi_remove_handle(shared, call.handle) }
        unsafe curl_multi_cleanup(shared)
        unsafe curl_slist_free_all(headers)
    }

    mutating func send(_ requests: [EtcdCall]) throws(EtcdError) {
        for request in requests { add(request) }
        if !requests.isEmpty { try perform() }
    }

    private mutating func add(_ request: EtcdCall) {
        guard let call = Call(), set(call, request), unsafe curl_multi_add_handle(shared, call.handle) == CURLM_OK
        else {
            ended.append((request.number, .unsent("libcurl has no room for another call")))
            return
        }
        away[request.number] = call
    }

    private func set(_ call: Call, _ request: EtcdCall) -> Bool {
        let handle = unsafe call.handle
        let texts = unsafe [
            forme_curl_text(handle, CURLOPT_URL, urls[request.node] + request.path),
            // No proxy from the environment.
            forme_curl_text(handle, CURLOPT_PROXY, ""),
            forme_curl_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
        ]
        let numbers = unsafe [
            forme_curl_number(handle, CURLOPT_NOSIGNAL, 1),
            forme_curl_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            forme_curl_number(handle, CURLOPT_FOLLOWLOCATION, 0),
            forme_curl_number(handle, CURLOPT_TCP_NODELAY, 1),
            forme_curl_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.connecting),
            forme_curl_number(handle, CURLOPT_TIMEOUT_MS, max(1, request.patience.milliseconds)),
            forme_curl_headers(handle, headers),
            forme_curl_post(handle, request.body, request.body.count),
        ]
        let receive = unsafe forme_curl_receive(
            handle,
            { bytes, size, count, owner in
                let call = unsafe Unmanaged<Call>.fromOpaque(owner!).takeUnretainedValue()
                return unsafe call.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
            }, Unmanaged.passUnretained(call).toOpaque())
        let isSet = (texts + numbers + [receive]).allSatisfy { $0 == CURLE_OK }
        return isSet && (certificates.map { set(call, $0) } ?? true)
    }

    private func set(_ call: Call, _ certificates: EtcdCertificates) -> Bool {
        let options = [
            (CURLOPT_CAINFO, certificates.authority), (CURLOPT_SSLCERT, certificates.certificate),
            (CURLOPT_SSLKEY, certificates.key),
        ]
        return options.allSatisfy { unsafe forme_curl_text(call.handle, $0.0, $0.1) == CURLE_OK }
    }

    /// Sends and receives as much as it can, and returns the calls that have ended.
    mutating func finished() throws(EtcdError) -> [(CallNumber, CallOutcome)] {
        try perform()
        defer { ended = [] }
        return ended
    }

    /// Sends and receives. A call that ends as soon as it is sent leaves nothing to wait for, so it is noted here.
    private mutating func perform() throws(EtcdError) {
        var running: Int32 = 0
        let code = unsafe curl_multi_perform(shared, &running)
        guard code == CURLM_OK else { throw .library(unsafe String(cString: curl_multi_strerror(code))) }
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(shared, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle,
                let (number, call) = away.first(where: { unsafe $0.value.handle == handle })
            else { continue }
            ended.append((number, unsafe outcome(of: call, message.pointee.data.result)))
            unsafe curl_multi_remove_handle(shared, handle)
            away[number] = nil
        }
    }

    private func outcome(of call: Call, _ code: CURLcode) -> CallOutcome {
        if code == CURLE_OK { return .answered(status: unsafe forme_curl_status(call.handle), call.body) }
        if call.isTooLong { return .cut("its answer is longer than \(CallOutcome.mostBytes) bytes") }
        // libcurl's own words for bytes that are no HTTP are about another thing.
        let isNoHTTP = code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY
        let why = isNoHTTP ? "what came is no HTTP" : unsafe String(cString: curl_easy_strerror(code))
        return unsafe forme_curl_sent(call.handle) == 0 ? .unsent(why) : .cut(why)
    }

    /// Waits until something can be sent or received here, or one of the descriptors can be read.
    func wait(atMost time: Duration, orFor descriptors: [Int32] = []) throws(EtcdError) {
        guard ended.isEmpty else { return }
        var others = descriptors.map { curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0) }
        let milliseconds = Int32(clamping: max(0, time.milliseconds))
        let code = unsafe curl_multi_poll(shared, &others, UInt32(others.count), milliseconds, nil)
        guard code == CURLM_OK else { throw .library(unsafe String(cString: curl_multi_strerror(code))) }
    }
}

extension Duration {
    /// The whole milliseconds, rounded up.
    fileprivate var milliseconds: Int { Int((self / .milliseconds(1)).rounded(.up)) }
}
