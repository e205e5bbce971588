/// A number that the bridge tells Prometheus, or several of them that differ in their labels.
///
/// All are declared here, once: what is served, docs/how-to/monitoring.md, the rules and the dashboard in `packaging/` go by this list.
package struct MetricFamily: Hashable, Sendable {
    /// The kinds of Prometheus that are in use.
    package enum Kind: String, Sendable {
        /// A number that only grows while the process runs.
        case counter
        /// A number that grows and shrinks.
        case gauge
        /// The distribution of lengths of time.
        case histogram
    }

    /// The name, which says the unit, and of a counter ends in `_total`.
    package let name: String
    package let kind: Kind
    package let labels: [String]
    /// The sentence about it.
    package let help: String

    private static func counter(_ name: String, _ labels: String..., help: String) -> MetricFamily {
        MetricFamily(name: name, kind: .counter, labels: labels, help: help)
    }

    private static func gauge(_ name: String, _ labels: String..., help: String) -> MetricFamily {
        MetricFamily(name: name, kind: .gauge, labels: labels, help: help)
    }
}

// MARK: The process

extension MetricFamily {
    static let build = gauge("skerry_build_info", "version", help: "1, with the version of Skerry.")
    static let residentMemory = gauge(
        "process_resident_memory_bytes",
        help: "Memory of the process that is in RAM."
    )
    static let virtualMemory = gauge(
        "process_virtual_memory_bytes",
        help: "Addresses that the process has reserved."
    )
    static let processorTime = counter(
        "process_cpu_seconds_total",
        help: "Processor time of the process, that of the system for it included."
    )
    static let openFiles = gauge("process_open_fds", help: "Open files and connections of the process.")
    static let fileLimit = gauge("process_max_fds", help: "Files and connections that it may have open.")
    static let processStart = gauge(
        "process_start_time_seconds",
        help: "Start of the process, in Unix seconds."
    )

    /// Those that each process has, also one that stands by.
    static let ofProcess = [
        build, residentMemory, virtualMemory, processorTime, openFiles, fileLimit, processStart, isActive,
        clockIsSynchronized,
    ]
}

// MARK: The bridge

extension MetricFamily {
    static let isActive = gauge(
        "skerry_active",
        help: "1 in the gateway that has the devices, 0 in one that stands by."
    )
    static let clockIsSynchronized = gauge(
        "skerry_clock_synchronized",
        help: "1 while the system knows that its clock is right."
    )
    static let clockIsKnown = gauge("skerry_clock_known", help: "1 unless the time may be wrong.")
    /// The time that the lease still holds.
    package static let leaseLeft = gauge(
        "skerry_lease_remaining_seconds",
        help: "Time for which the lease of the shared store holds without another renewal."
    )
    static let uptime = gauge("skerry_uptime_seconds", help: "Time since the start of the bridge.")
    static let brokerIsConnected = gauge(
        "skerry_broker_connected",
        help: "1 while there is a connection to the broker."
    )
    static let brokerConnects = counter(
        "skerry_broker_connects_total",
        help: "Connections made to the broker."
    )
    static let devices = gauge("skerry_devices", "kind", help: "Devices heard of.")
    static let devicesSetAside = gauge(
        "skerry_devices_set_aside",
        help: "Devices that were set aside because they ended the process."
    )
    static let devicesReplaced = counter(
        "skerry_devices_replaced_total",
        help: "Devices without a run that were replaced by new ones at the limit."
    )
    static let updates = counter("skerry_updates_total", "kind", help: "Revisions of activities.")
    static let refusedPayloads = counter(
        "skerry_payloads_refused_total",
        "kind",
        help: "Payloads that a definition could not read."
    )
    static let faults = counter(
        "skerry_faults_total",
        "kind",
        help: "Faults of machines and contents that are too large."
    )
    static let unreadParts = gauge(
        "skerry_unread_parts",
        "kind",
        help: "Parts of messages that a definition can't read."
    )
    static let messages = counter("skerry_messages_total", help: "Messages received.")
    static let messagesUnrouted = counter(
        "skerry_messages_unrouted_total",
        help: "Messages on topics that no definition reads."
    )
    static let messagesIgnored = counter(
        "skerry_messages_ignored_total",
        help: "Messages that name no device, or do not count."
    )
    static let messagesRefused = counter(
        "skerry_messages_refused_total",
        help: "Messages that could not be read."
    )
    static let messagesBeyondLimit = counter(
        "skerry_messages_beyond_limit_total",
        help: "Messages of devices for which there was no room."
    )
    static let messagesOversized = counter(
        "skerry_messages_oversized_total",
        help: "Messages that were too large."
    )
    static let values = gauge("skerry_values_bytes", help: "Memory of all signals and variables.")
    static let valuesRefused = counter(
        "skerry_values_refused_total",
        help: "Values of signals and variables that were too large."
    )
    static let readingsFailed = counter(
        "skerry_readings_failed_total",
        help: "Expressions that ended in an error."
    )
    static let actionsPublished = counter(
        "skerry_actions_published_total",
        help: "Messages that actions published."
    )
    static let actionsRefused = counter(
        "skerry_actions_refused_total",
        help: "Messages that actions could not publish."
    )
    static let alertsLate = counter("skerry_alerts_late_total", help: "Alerts that were too late to be sent.")
    static let problems = counter(
        "skerry_problems_total",
        help: "Things that went wrong, each with a line in the log."
    )

    private static let ofBridge = [
        clockIsKnown, leaseLeft, uptime, brokerIsConnected, brokerConnects, devices, devicesSetAside,
        devicesReplaced, updates, refusedPayloads, faults, unreadParts, messages, messagesUnrouted,
        messagesIgnored, messagesRefused, messagesBeyondLimit, messagesOversized, values, valuesRefused,
        readingsFailed, actionsPublished, actionsRefused, alertsLate, problems,
    ]
}

// MARK: What is stored and sent

extension MetricFamily {
    static let commitDuration = MetricFamily(
        name: "skerry_commit_duration_seconds",
        kind: .histogram,
        labels: [],
        help: "Time that the store took for a commit."
    )
    static let commitsRefused = counter(
        "skerry_commits_refused_total",
        help: "Commits that the store refused; they are repeated."
    )
    static let isStoring = gauge(
        "skerry_storing",
        help: "0 while the store takes nothing, and no message is acknowledged."
    )
    package static let storeSize = gauge(
        "skerry_store_size_bytes",
        "file",
        help: "Size of the files of the store, their logs included."
    )
    static let publicationsWaiting = gauge(
        "skerry_publications_waiting",
        help: "Publications that wait for the broker."
    )
    static let publicationsUnsettled = gauge(
        "skerry_publications_unsettled",
        help: "Publications in the store that the broker has not acknowledged."
    )
    static let publicationsDropped = counter(
        "skerry_publications_dropped_total",
        help: "Publications that were given up at the limit."
    )
    static let sinksWaiting = gauge(
        "skerry_sinks_waiting",
        "sink",
        help: "Activities that wait for a further service, or for the phones."
    )
    static let sinksDropped = counter(
        "skerry_sinks_dropped_total",
        "sink",
        help: "States of ended activities that were given up at the limit."
    )
    static let sinksSent = counter(
        "skerry_sinks_sent_total",
        "sink",
        help: "Requests that a further service accepted."
    )
    static let sinksFailed = counter(
        "skerry_sinks_failed_total",
        "sink",
        help: "Requests that a further service did not accept."
    )
    static let sinksHeld = gauge(
        "skerry_sinks_held",
        "sink",
        help: "Activities whose state is held back from a further service."
    )
    package static let phones = gauge("skerry_phones", help: "Phones paired.")
    /// The pushes that were handed over for sending.
    package static let pushesSent = counter(
        "skerry_pushes_sent_total",
        "phone",
        "event",
        help: "Pushes handed to the sender."
    )
    /// The pushes that Apple took.
    package static let pushesAccepted = counter(
        "skerry_pushes_accepted_total",
        "phone",
        "event",
        help: "Pushes that Apple accepted."
    )
    /// The pushes that did not arrive.
    package static let pushesRefused = counter(
        "skerry_pushes_refused_total",
        "phone",
        "event",
        help: "Pushes that Apple refused, or that did not leave."
    )

    private static let ofSending = [
        commitDuration, commitsRefused, isStoring, storeSize, publicationsWaiting, publicationsUnsettled,
        publicationsDropped, sinksWaiting, sinksDropped, sinksSent, sinksFailed, sinksHeld, phones,
        pushesSent,
        pushesAccepted, pushesRefused,
    ]

    /// All of them, in the order in which they are served.
    package static let all = ofProcess + ofBridge + ofSending
}
