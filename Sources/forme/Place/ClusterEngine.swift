import Console
import Daemons
import Settings

#if canImport(Etcd)
    import Etcd
#endif
#if canImport(Postgres)
    import Postgres
#endif

/// The engine that has the log of a cluster; the addresses tell which one. An engine is available where its library
/// was there when this program was built.
struct ClusterEngine: Sendable {
    private let cluster: ClusterSettings

    /// Refuses settings with which no log can be opened, before anything is started.
    init(_ cluster: ClusterSettings) throws {
        self.cluster = cluster
        let isPostgres = Self.isPostgres(cluster)
        if isPostgres {
            guard cluster.engine.count == 1 else {
                throw Failure(
                    .usage,
                    "PostgreSQL has one address, with commas between its servers: postgresql://forme@10.0.0.1,10.0.0.2/forme"
                )
            }
            guard cluster.certificates == nil else {
                throw Failure(
                    .usage,
                    "certificates are for etcd; PostgreSQL's address says them: ?sslmode=verify-full&sslrootcert=FILE")
            }
        }
        try refuse(isPostgres: isPostgres)
    }

    private static func isPostgres(_ cluster: ClusterSettings) -> Bool {
        cluster.engine.contains { $0.hasPrefix("postgresql:") || $0.hasPrefix("postgres:") }
    }

    private func refuse(isPostgres: Bool) throws {
        if isPostgres {
            #if canImport(Postgres)
                _ = try PostgresLog(of: cluster.name, at: cluster.engine[0])
            #else
                throw Failure(.usage, Self.lack("PostgreSQL", "libpq-dev"))
            #endif
        } else {
            #if canImport(Etcd)
                _ = try etcd()
            #else
                throw Failure(.usage, Self.lack("etcd", "libcurl4-openssl-dev"))
            #endif
        }
    }

    private static func lack(_ engine: String, _ package: String) -> String {
        "this program was built without what it speaks to \(engine) with; install \(package), and build it again"
    }

    #if canImport(Etcd)
        private func etcd() throws(EtcdError) -> EtcdLog {
            let certificates = cluster.certificates.map {
                EtcdCertificates(authority: $0.authority, certificate: $0.certificate, key: $0.key)
            }
            return try EtcdLog(of: cluster.name, at: cluster.engine, certificates: certificates)
        }
    #endif

    /// Opens the log on a thread of its own.
    func open() throws -> LogLane {
        #if canImport(Postgres)
            if Self.isPostgres(cluster) {
                return try LogLane { try PostgresLog(of: cluster.name, at: cluster.engine[0]) }
            }
        #endif
        #if canImport(Etcd)
            return try LogLane { try etcd() }
        #else
            throw Failure(.usage, Self.lack("etcd", "libcurl4-openssl-dev"))
        #endif
    }
}
