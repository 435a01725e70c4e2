import Names
import Testing
import Wire

@testable import Gateway
@testable import HTTP

@Test(arguments: [("", 50), ("&count=7", 7), ("&beside=older:70", 50), ("&beside=newer:70", 50)])
func `a window that names no number of rows has fifty of them, and so has a page at either side`(
    query: String, count: Int
) throws {
    let target = try #require(RequestTarget(Array("/v1/conversations/c/window?target=390%403\(query)".utf8)))
    let request = Request(id: Request.ID(number: 1), method: .get, target: target, headers: [:], body: [])
    #expect(try WindowQuery(request, conversation: ConversationID("c"), subject: nil).opening.count == count)
}
