import HTTP
import TestSupport
import Testing

private let router = {
    var router = Router<String>()
    router.add(.get, "/", "root")
    router.add(.get, "/v1/conversations/{id}/rows", "rows")
    router.add(.post, "/v1/events", "events")
    router.add(.get, "/v1/fonts/{hash}", "font")
    router.add(.delete, "/v1/fonts/{hash}", "forget")
    return router
}()

private func found(_ method: String, _ path: String) -> String {
    switch router.find(Method(method), RequestTarget(Array(path.utf8))!.segments) {
    case .endpoint(let name, let parameters):
        ([name] + parameters.values.map { "\($0)=\($1)" }).joined(separator: " ")
    case .otherMethods(let methods): methods.map(\.name).joined(separator: " ")
    case .nothing: "-"
    }
}

@Test(arguments: [
    ("GET", "/", "root"), ("HEAD", "/", "root"),
    ("GET", "/v1/conversations/a%2Fb/rows", "rows id=a/b"), ("GET", "/v1/conversations/%2e%2e/rows", "rows id=.."),
    ("GET", "/v1/conversations//rows", "-"), ("GET", "/v1/conversations/a/rows/", "-"),
    ("GET", "/v1/conversations/a", "-"),
    ("GET", "/v1/events", "POST OPTIONS"), ("POST", "/v1/events", "events"), ("TRACE", "/v1/events", "POST OPTIONS"),
    ("PUT", "/v1/fonts/x", "GET DELETE HEAD OPTIONS"), ("OPTIONS", "/v1/fonts/x", "GET DELETE HEAD OPTIONS"),
    ("get", "/", "GET HEAD OPTIONS"), ("GET", "/V1/events", "-"),
])
func `a path and a method lead to what answers them, or say what would`(method: String, path: String, name: String) {
    #expect(found(method, path) == name)
}

@Test(arguments: [
    ("/", [], []), ("*", [], []), ("/a/", ["a", ""], []), ("//", ["", ""], []), ("http://h/a?b", ["a"], ["b="]),
    ("/a?b=c&b=d&&=e&f", ["a"], ["b=c", "b=d", "=e", "f="]), ("/%41?%42=%43", ["A"], ["B=C"]),
    ("/a+b?c+d=e+f", ["a+b"], ["c d=e f"]),
    ("/a?b=c=d?e", ["a"], ["b=c=d?e"]),
])
func `a target is cut and then decoded`(text: String, segments: [String], query: [String]) throws {
    let target = try #require(RequestTarget(Array(text.utf8)))
    #expect(target.segments == segments)
    #expect(target.query.map { "\($0.name)=\($0.value)" } == query)
}

@Test func `of a name that is repeated, nobody can say which is meant`() {
    let target = RequestTarget(Array("/?a=1&b=2&b=3".utf8))
    #expect(target?.value("a") == "1" && target?.value("b") == nil && target?.value("c") == nil)
}

@Test func `any bytes are a target or none`() {
    forEachSeed(500) { random in
        let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            Bool.random(using: &random)
                ? UInt8.random(in: 0...255, using: &random) : "/?%&=+2Fa".utf8.randomElement(using: &random)!
        }
        guard let target = RequestTarget(bytes) else { return true }
        return (target.segments + target.query.flatMap { [$0.name, $0.value] }).allSatisfy {
            $0.utf8.count <= bytes.count && $0.utf8.allSatisfy { $0 >= 0x20 }
        }
    }
}

@Test func `pages of other origins read nothing unless they are named`() {
    func request(_ method: Method, _ origin: String?, asking: Bool = false) -> Request {
        var headers: Headers = [:]
        headers["Origin"] = origin
        if asking { headers["Access-Control-Request-Method"] = "GET" }
        return Request(method: method, target: RequestTarget(Array("/".utf8))!, headers: headers)
    }
    let closed = CrossOrigin()
    #expect(closed.opened(Response(200), to: request(.get, "https://a")) == Response(200))
    #expect(closed.preflight(request(.options, "https://a", asking: true), methods: [.get]) == nil)

    let some = CrossOrigin(origins: ["https://a"])
    let opened = some.opened(Response(200), to: request(.get, "https://a"))
    #expect(opened.headers["Access-Control-Allow-Origin"] == "https://a" && opened.headers["Vary"] == "Origin")
    let other = some.opened(Response(200), to: request(.get, "https://b"))
    #expect(other.headers["Access-Control-Allow-Origin"] == nil && other.headers["Vary"] == "Origin")
    let preflight = some.preflight(request(.options, "https://a", asking: true), methods: [.get, .head])
    #expect(preflight?.headers["Access-Control-Allow-Methods"] == "GET, HEAD" && preflight?.status == 204)
    #expect(some.preflight(request(.options, "https://b", asking: true), methods: [.get]) == nil)
    #expect(some.preflight(request(.get, "https://a", asking: true), methods: [.get]) == nil)
    #expect(
        CrossOrigin(origins: ["*"]).opened(Response(200), to: request(.get, "https://b"))
            .headers["Access-Control-Allow-Origin"] == "*")
}
