import Pool
import Settings

extension IngestLimits {
    /// The limits that the configuration gives to events, and to drafts of them.
    init(_ configuration: Configuration) {
        self.init()
        messageBytes = configuration.limits.messageBytes
        textBytes = configuration.limits.textBytes
        eventsPerRequest = configuration.limits.eventsPerRequest
        conversationsPerConnection = configuration.limits.conversationsPerConnection
    }
}
