/// `--metrics HOST:PORT`: where a gateway tells whoever runs the service how it is.
enum MetricsOption {
    static let name = "metrics"
    static let usage =
        "  --metrics HOST:PORT  figures for Prometheus, /livez and /readyz at a port of this machine (default: off)"
}
