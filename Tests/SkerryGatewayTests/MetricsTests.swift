import SkerryActivity
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryGateway

/// The numbers of a bridge for Prometheus.
@Suite("Metrics")
struct MetricsTests {
    private func lines(_ text: MetricsText) -> Set<String> {
        Set(text.text.split(separator: "\n").map(String.init))
    }

    /// The numbers that a bridge has, for somebody who sees everything unless another one is named.
    private func metrics(_ pier: Pier, for viewer: Viewer = .unrestricted) -> Set<String> {
        lines(pier.bridge.metrics(for: viewer))
    }

    @Test("each name is declared once, and says kind and unit as Prometheus' conventions have it")
    func names() {
        let names = MetricFamily.all.map(\.name)
        #expect(Set(names).count == names.count)
        for family in MetricFamily.all {
            #expect(family.name.wholeMatch(of: /(skerry|process)(_[a-z]+)+/) != nil, "\(family.name)")
            #expect(family.name.hasSuffix("_total") == (family.kind == .counter), "\(family.name)")
            #expect(family.help.hasSuffix(".") && !family.help.contains("\n"), "\(family.name)")
        }
    }

    @Test("a bridge counts what comes for each kind, and times its commits")
    func bridge() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true,"level":1}"#)
        pier.send("lamp/hall/state", #"{"on":true,"level":1}"#)
        pier.send("lamp/desk/state", "{garbage")
        pier.send("elsewhere", "1")
        let found = metrics(pier)
        for line in [
            "skerry_devices{kind=\"lamp\"} 2", "skerry_updates_total{kind=\"lamp\"} 2",
            "skerry_payloads_refused_total{kind=\"lamp\"} 1", "skerry_faults_total{kind=\"lamp\"} 0",
            "skerry_messages_total 4", "skerry_messages_unrouted_total 1", "skerry_messages_refused_total 1",
            "skerry_broker_connected 1", "skerry_storing 1", "skerry_clock_known 1",
            "# TYPE skerry_commit_duration_seconds histogram", "skerry_commits_refused_total 0",
        ] { #expect(found.contains(line), "\(line): \(found.sorted())") }
        let count = found.first { $0.hasPrefix("skerry_commit_duration_seconds_count ") }
        let commits = pier.ledger.commits.count
        #expect(count == "skerry_commit_duration_seconds_count \(commits)")
        #expect(found.contains("skerry_commit_duration_seconds_bucket{le=\"+Inf\"} \(commits)"))
        pier.ledger.isRefusing = true
        pier.send("lamp/desk/state", #"{"on":false}"#)
        let refused = metrics(pier)
        #expect(refused.contains("skerry_storing 0") && refused.contains("skerry_commits_refused_total 1"))
    }

    @Test("somebody who does not see everything gets no number with a label")
    func restricted() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true,"level":1}"#)
        let viewer = Viewer.phone(
            "x",
            person: "Ben",
            AudiencePolicy(rules: [.init("lamp/desk", people: ["Ada"])])
        )
        let all = metrics(pier)
        let found = metrics(pier, for: viewer)
        #expect(!viewer.seesEverything)
        #expect(!found.contains { $0.contains("kind=") || $0.contains("sink=") })
        #expect(all.contains { $0.contains("kind=") })
    }

    @Test("a commit is in all classes from its own on")
    func histogram() {
        var meter = CommitMeter()
        for milliseconds: Int64 in [0, 1, 2, 30, 7000] {
            meter.record(.milliseconds(milliseconds), isRefused: false)
        }
        meter.record(.milliseconds(-1), isRefused: true)
        var text = MetricsText()
        meter.write(to: &text)
        let found = lines(text)
        for (bound, count) in [
            ("0.0005", 2), ("0.001", 3), ("0.0025", 4), ("0.025", 4), ("0.05", 5), ("5.0", 5), ("+Inf", 6),
        ] {
            #expect(
                found.contains("skerry_commit_duration_seconds_bucket{le=\"\(bound)\"} \(count)"),
                "\(bound)"
            )
        }
        #expect(found.contains("skerry_commit_duration_seconds_sum 7.033"), "\(text.text)")
        #expect(found.contains("skerry_commits_refused_total 1"))
    }

    @Test("a label may have any text")
    func labels() {
        var text = MetricsText()
        text.add(.pushesSent, [(labels: ["Ada's \"new\" \\\n", "start"], number: 3)])
        #expect(text.text.hasSuffix("{phone=\"Ada's \\\"new\\\" \\\\\\n\",event=\"start\"} 3\n"))
        var none = MetricsText()
        none.add(.pushesSent, [(labels: [String], number: Int)]())
        #expect(none.text.isEmpty)
    }

    @Test("a process has its memory, its time and its files")
    func process() throws {
        var text = MetricsText()
        ProcessFigures(version: "1.2.3").write(to: &text, isActive: false)
        let found = lines(text)
        #expect(found.contains("skerry_build_info{version=\"1.2.3\"} 1") && found.contains("skerry_active 0"))
        func number(_ name: String) throws -> Double {
            let line = try #require(found.first { $0.hasPrefix("\(name) ") }, "\(text.text)")
            return try #require(Double(line.dropFirst(name.count + 1)))
        }
        #expect(try number("process_resident_memory_bytes") > 1_000_000)
        #expect(try number("process_virtual_memory_bytes") > number("process_resident_memory_bytes"))
        #expect(try number("process_cpu_seconds_total") >= 0)
        #expect(try number("process_open_fds") > 2)
        #expect(try number("process_max_fds") > number("process_open_fds"))
        let now = Double(SystemClock().now.flooredSeconds)
        #expect(abs(try number("process_start_time_seconds") - now) < 24 * 3600)
    }
}
