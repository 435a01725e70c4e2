package import Wire

/// The size of a producer's requests: as much as the service takes, which it learns from the service's refusals.
///
/// ```text
///  refused, and more was sent than the service takes  ─▶ never more than it takes from now on; the same events again
///  refused, for another reason, with other events      ─▶ half as many, so that one of them is found
///  refused, and it was one event by itself             ─▶ nothing helps, and an operator has to look
/// ```
///
/// The fault of a request says nothing about any of its events: they were not examined.
package struct RequestSize: Equatable, Sendable {
    package private(set) var limits = RequestLimits()

    package init() {}

    /// Packs as many of the first events as one request may hold.
    package func pack(_ events: some Collection<ChatEvent>, lane: Lane) -> PackedRequest {
        PackedRequest(events, lane: lane, within: limits)
    }

    /// Sends less from now on; false where less is not possible.
    package mutating func shrink(after fault: RequestFault, to request: PackedRequest) -> Bool {
        let told = fault.limits.map { limits.within($0) } ?? limits
        let isMoreThanTold = request.count > told.events || (request.bytes.count > told.bytes && request.count > 1)
        limits = told
        if isMoreThanTold { return true }
        guard request.count > 1 else { return false }
        limits.events = (request.count + 1) / 2
        return true
    }
}
