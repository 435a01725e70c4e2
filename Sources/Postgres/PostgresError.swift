package enum PostgresError: Error, Equatable, Sendable {
    case address(String)
    case clusterName(String)
    case noRoom
    /// There is no connection, for the reason in libpq's words.
    case noConnection(String)
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .address(let url):
            "'\(url)' is no address of PostgreSQL, such as postgresql://forme@10.0.0.1:5432,10.0.0.2:5432/forme"
        case .clusterName(let name): "a cluster cannot be called '\(name)'"
        case .noRoom: "there is no memory for a connection to PostgreSQL"
        case .noConnection(let reason): "no connection to PostgreSQL: \(reason)"
        }
    }
}
