/// `--metrics HOST:PORT`: the address at which a gateway gives the operator figures.
enum MetricsOption {
    static let name = "metrics"
    static let usage =
        "  --metrics HOST:PORT  figures for Prometheus, /livez and /readyz at a port of this machine (default: off)"
}
