import Glibc
import SkerryCommand
import SkerryGateway
import SkerryMosquitto
import SkerryPostgres
import SkerryValues

/// Ends a process that no longer has the lease of its store, or can't know whether it has.
///
/// The end is that of a crash, from which the next process recovers: nothing more is acknowledged, published or sent.
enum LeaseGuard {
    /// The exit status, as a number for a signal handler: the cause passes, and the next start waits as standby.
    static let status: Int32 = 75

    /// The id of a timer of the kernel; nil if there is none.
    ///
    /// A thread could be waiting, and the process be stopped: when it goes on, the signal is the first that happens.
    private static let timer: Int? = {
        var action = sigaction()
        // Only what a signal handler may call (signal-safety(7)): `Terminal` allocates.
        if Terminal.hasComplaintForm {
            action.__sigaction_handler.sa_handler = { _ in
                LeaseGuard.end(#"{"level":"error","logger":"skerry","id":"fault","message":""#, #""}"#)
            }
        } else {
            action.__sigaction_handler.sa_handler = { _ in LeaseGuard.end("skerry: ", "") }
        }
        sigaction(SIGALRM, &action, nil)
        var event = sigevent()
        event.sigev_notify = Int32(SIGEV_SIGNAL)
        event.sigev_signo = SIGALRM
        // `timer_t` is an integer here; the first id is 0, so nil can't mean "none".
        var id: timer_t?
        // This clock goes on while the machine sleeps, as the lease does on the server.
        return timer_create(CLOCK_BOOTTIME, &event, &id) == 0 ? Int(bitPattern: id) : nil
    }()

    /// Ends the process in a signal handler; before and after what it says stands what makes it a line of the log.
    private static func end(_ beginning: StaticString, _ rest: StaticString) -> Never {
        func say(_ part: StaticString) { _ = write(STDERR_FILENO, part.utf8Start, part.utf8CodeUnitCount) }
        say(beginning)
        say("the lease of the store could not be renewed in time: this process ends")
        say(rest)
        say("\n")
        _exit(status)
    }

    /// Lets the process live until a time since boot.
    static func hold(until moment: Interval) {
        guard let timer else { return end("the system refuses a timer for the lease of the store") }
        var setting = itimerspec()
        setting.it_value.tv_sec = Int(moment.microseconds / 1_000_000)
        setting.it_value.tv_nsec = Int(moment.microseconds % 1_000_000 * 1000)
        timer_settime(timer_t(bitPattern: timer), TIMER_ABSTIME, &setting, nil)
    }

    /// Ends the process at an event that says that the lease is lost.
    static func look(at event: BridgeEvent) {
        if case .storeIsLost(let fault) = event, fault.sort == .taken { end(fault.message) }
    }

    /// Ends the process now.
    private static func end(_ reason: String) {
        Terminal.complain("skerry: \(reason)\n")
        _exit(status)
    }

    /// The options of a store that several gateways share; `end` is told which computer should have the lease in place of this one.
    static func options(
        _ settings: Settings,
        _ address: String,
        _ end: EarlyEnd
    ) -> PostgresOptions {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, 255)
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var options = PostgresOptions(
            address: address,
            client: "client id '\(settings.mqtt.clientID)', prefix '\(settings.prefix)'",
            owner: "\(host) (process \(getpid()))"
        )
        options.durability = settings.store.durability
        options.lease = settings.store.lease
        options.node = host
        options.partition = settings.partitions?.own
        options.onHeld = { hold(until: $0) }
        options.onLoss = { Self.end($0.message) }
        options.onSurplus = { end.handOver(to: $0) }
        options.isCutOff = { [patience = settings.store.brokerPatience] in end.broker.isAway(for: patience) }
        options.onCutOff = { end.handOver(withoutBrokerTo: $0) }
        return options
    }
}
