import Foundation
import HTTP
import Testing
import Wire

@testable import FormeClient
@testable import Gateway

@Test(arguments: [
    WindowRefusal.busy, .unauthorized, .unknownConversation, .unknownMessage, .unprepared,
])
func `a client is told over HTTP which refusal it is, as at the socket`(refusal: WindowRefusal) throws {
    let answer = WindowPages.response(refusal)
    guard case .bytes(let body) = answer.body else {
        Issue.record("no body")
        return
    }
    #expect(WindowError(status: answer.status, problem: Data(body)) == WindowError(refusal))
}

@Test(arguments: WindowPages.absences)
func `a refusal of status 404 has the name that it has in words`(refusal: WindowRefusal) throws {
    let answer = WindowPages.response(refusal)
    guard answer.status == 404, case .bytes(let body) = answer.body else {
        Issue.record("\(answer)")
        return
    }
    let problem = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    #expect(problem["because"] as? String == "\(refusal)" && problem["detail"] is String)
}
