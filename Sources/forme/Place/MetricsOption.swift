/// `--metrics HOST:PORT`: the address at which a gateway gives the operator figures.
enum MetricsOption {
    static let name = "metrics"
    static let usage =
        "  --metrics HOST:PORT  /metrics, /refused, /livez and /readyz for operators, on this machine (default: off)"
}
