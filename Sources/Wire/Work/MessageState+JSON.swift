package import JSON

extension MessageState {
    /// The message as a style reads it: its body, with the separate registers in their places.
    package func message() throws(JSONError) -> JSONValue {
        let body = try JSONValue.parse(self.body.content)
        guard status != nil || reactions != nil, let object = body.object else { return body }
        var members = object.members.filter {
            ($0.key != "status" || status == nil) && ($0.key != "reactions" || reactions == nil)
        }
        if let status { members.append(.init("status", try JSONValue.parse(status))) }
        if let reactions {
            var said = try JSONValue.parse(reactions)
            members = PollVotes(takenFrom: &said).applied(to: members)
            members.append(.init("reactions", said))
        }
        return .object(JSONObject(members))
    }
}
