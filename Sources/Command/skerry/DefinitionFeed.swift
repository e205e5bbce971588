@preconcurrency import Dispatch
import Logging
import SkerryActivity
import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryPhones
import Synchronization

/// The definitions of a bridge, read again while it runs: on SIGHUP, and when their files have changed.
///
/// If a file has an error, all definitions stay in force, and the log reports the error.
///
/// See docs/decisions/0025-changed-definitions.md.
final class DefinitionFeed: Sendable {
    private struct State {
        /// The files whose definitions are in force.
        var files: [CompiledFiles.File]
        /// The texts that were read last, whatever came of them, by path.
        var seen: [String: String]
        /// The settings and names of single devices.
        var devices: ChosenDevices
        /// The choices made on the page that have no effect, as the log has them.
        var ignored: [String]
        /// Who gets which activities.
        var audience: AudiencePolicy
        /// Called when that may have changed.
        var tellAudience: [@Sendable (AudiencePolicy, QuietHours) -> Void] = []
        /// Why they could not be read the last time.
        var refusal: FileError?
    }

    private let origin: DefinitionOrigin
    private let logger: Logger
    private let mailbox: DefinitionMailbox
    private let watch: DefinitionWatch
    /// The settings as they were at the start.
    private let start: SettingsReader
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "skerry.definitions")

    /// Reads the definitions for the first time; their problems go to standard error.
    ///
    /// - Parameters:
    ///   - settings: The settings of the bridge.
    ///   - adopted: The definitions that come with Skerry, if the bridge adopts such.
    ///   - mailbox: Where changes go.
    ///   - logger: Where problems of changed files go.
    /// - Throws: an exit code when a file can't be read or has errors.
    init(
        _ settings: Settings,
        adopting adopted: AdoptedDefinitions?,
        mailbox: DefinitionMailbox,
        logger: Logger
    ) throws {
        let devices = try ChosenDevices(settings)
        origin = DefinitionOrigin(settings, adopting: adopted)
        self.mailbox = mailbox
        self.logger = logger
        start = settings.broker.reader
        // The watch begins before the files are read, so that later changes are noticed.
        watch = DefinitionWatch(origin.paths, queue, logger)
        let compiled = try origin.load()
        let (chosen, audience) = try Settings.complaining { () throws(SettingFault) in
            let chosen = try compiled.files.choosing(devices, among: adopted)
            return (chosen, try chosen.files.audience(devices, among: adopted))
        }
        for line in chosen.ignored { logger.warning(.choiceIgnored, "\(line)") }
        watch.follow(besides: compiled.bases.map(\.path))
        state = Mutex(
            State(
                files: chosen.files,
                seen: compiled.texts,
                devices: devices,
                ignored: chosen.ignored,
                audience: audience
            )
        )
    }

    /// The definitions that come with Skerry; nil if the bridge adopts none.
    var adopted: AdoptedDefinitions? { origin.adopted }

    /// Reads the definitions that a bridge with these settings would begin with, and prints nothing.
    ///
    /// - Parameters:
    ///   - settings: The settings of the bridge.
    ///   - path: Its database, beside which adopted kinds are kept.
    /// - Returns: the files with their problems, and what was chosen on the page and has no effect, a line for each.
    /// - Throws: a `FileError` for a path that can't be read, a `SettingFault` for settings of devices that can't be taken.
    static func survey(
        _ settings: Settings,
        store path: String?
    ) throws -> (files: CompiledFiles, ignored: [String]) {
        var adopted: AdoptedDefinitions?
        if settings.adoptsDefinitions, let folder = ShippedDefinitions.folder {
            adopted = try AdoptedDefinitions(folder, store: path, for: settings)
        }
        let files = try DefinitionOrigin(settings, adopting: adopted).read()
        let devices = try ChosenDevices(settings)
        if files.hasErrors { return (files, []) }
        let chosen = try files.files.choosing(devices, among: adopted)
        _ = try chosen.files.audience(devices, among: adopted)
        return (files, chosen.ignored)
    }

    /// Returns whether a definition in force is of this kind.
    func hasKind(_ kind: String) -> Bool {
        state.withLock { state in state.files.contains { $0.definition?.kind == kind } }
    }

    /// Adopts a kind of the definitions that come with Skerry; from any thread.
    func adopt(_ kind: String, _ wake: @escaping @Sendable () -> Void) {
        guard let adopted, !adopted.has(kind) else { return }
        do throws(FileError) {
            try adopted.adopt(kind)
        } catch {
            logger.warning(.adoptionNotStored, "\(error): after a restart, \(kind) has to be found again")
            adopted.adoptForNow(kind)
        }
        queue.async { [self] in read(isAsked: false, wake) }
    }

    /// Adopts a kind because somebody asks for it, before it returns; the caller wakes the bridge.
    ///
    /// - Throws: the reason why it can't be kept; then it is not adopted.
    func adoptNow(_ kind: String) throws(FileError) {
        defer { readNow() }
        try adopted?.adopt(kind)
    }

    /// Gives a kind up that was adopted, before it returns; the caller wakes the bridge.
    ///
    /// - Throws: the reason why that can't be kept; then it stays adopted.
    func giveUp(_ kind: String) throws(FileError) {
        defer { readNow() }
        try adopted?.giveUp(kind)
    }

    /// Reads the files because the page has changed them, before it returns; the caller wakes the bridge.
    func readNow() { queue.sync { read(isAsked: false, mayBeEmpty: true) {} } }

    /// The definitions in force.
    var definitions: [Definition] { state.withLock { $0.files.compactMap { $0.definition } } }

    /// The files whose definitions are in force.
    var files: [CompiledFiles.File] { state.withLock { $0.files } }

    /// True if no definition in force is of the paths of this bridge.
    var hasNoneOfItsOwn: Bool {
        let shelved = Set(adopted?.candidates.map(\.path) ?? [])
        return files.allSatisfy { shelved.contains($0.source.path) }
    }

    /// The settings of single devices in force.
    var settings: ChosenSettings { state.withLock { $0.devices.settings } }

    /// Who gets which activities.
    var audience: AudiencePolicy { state.withLock { $0.audience } }

    /// The place whose clocks and whose sun count.
    var location: Location { state.withLock { $0.devices.location } }

    /// The hours in which nothing sounds.
    var quiet: QuietHours { state.withLock { $0.devices.quiet } }

    /// Has a function called with both whenever settings or definitions have changed them, before the bridge gets the
    /// definitions.
    func onAudience(_ tell: @escaping @Sendable (AudiencePolicy, QuietHours) -> Void) {
        state.withLock { $0.tellAudience.append(tell) }
    }

    /// Reads again from now on; `wake` is called when there is something in the mailbox.
    func start(_ wake: @escaping @Sendable () -> Void) {
        Signals.onHangUp(queue) { [self] in read(isAsked: true, wake) }
        queue.async { [self] in watch.start { [self] in read(isAsked: false, wake) } }
    }

    /// Reads all files again because somebody asks for it; `wake` is called when there is something in the mailbox.
    func readAgain(_ wake: @escaping @Sendable () -> Void) {
        queue.async { [self] in read(isAsked: true, wake) }
    }

    /// Reads the files and hands over the changes; silent if there are none and no request asked for it.
    ///
    /// - Parameters:
    ///   - isAsked: Whether somebody asks for it.
    ///   - mayBeEmpty: Whether the last definition may be gone.
    ///   - wake: Called when there is something in the mailbox.
    private func read(isAsked: Bool, mayBeEmpty: Bool = false, _ wake: () -> Void) {
        // Before the files are read, as at the start; folders may be others than before.
        watch.follow(besides: files.flatMap { $0.source.bases.map(\.path) })
        let compiled: CompiledFiles
        do throws(FileError) {
            compiled = try origin.read(hadSome: !hasNoneOfItsOwn)
        } catch {
            let isTold = state.withLock { state in
                defer { state.refusal = error }
                return state.refusal == error
            }
            if isAsked || !isTold { refuse(["\(error)"], wake) }
            return
        }
        watch.follow(besides: compiled.bases.map(\.path))
        let isSeen = state.withLock { state in
            defer { state.seen = compiled.texts }
            defer { state.refusal = nil }
            return state.seen == compiled.texts && state.refusal == nil
        }
        if isSeen, !isAsked { return }
        if compiled.files.isEmpty, adopted == nil, !files.isEmpty, !mayBeEmpty {
            let places = origin.paths.joined(separator: ", ")
            refuse(["there is no definition (*.yaml, *.skd) in \(places)"], wake)
        } else if compiled.hasErrors {
            refuse(compiled.files.flatMap { $0.lines(.error) }, wake)
            takeAdopted(besides: compiled.files.compactMap { $0.source.kind }, wake)
        } else {
            take(compiled, readsDevices: isAsked, wake)
        }
    }

    /// Adds the adopted definitions that are not in force yet to those that are, while files with errors keep the others from
    /// changing.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of all files that were read, with and without errors.
    ///   - wake: Called when there is something in the mailbox.
    private func takeAdopted(besides kinds: [String], _ wake: () -> Void) {
        let former = files.map { $0.source }
        let shelved = (try? adopted?.files()) ?? []
        let new = shelved.filter { file in
            guard let kind = file.kind, !former.contains(where: { $0.kind == kind }) else { return false }
            return kinds.count { $0 == kind } == 1
        }
        if new.isEmpty { return }
        let compiled = origin.compiled(former + new)
        if !compiled.hasErrors { take(compiled, readsDevices: false, wake) }
    }

    /// Hands over the definitions, or tells why they can't be used.
    private func take(_ compiled: CompiledFiles, readsDevices: Bool, _ wake: () -> Void) {
        do throws(SettingFault) {
            try take(compiled, readsDevices: readsDevices)
            wake()
            if readsDevices, let names = state.withLock({ $0.devices }).waiting(since: start) {
                logger.warning(.settingsWait, "changed settings count from the next start: \(names)")
            }
        } catch {
            logger.error(.settingsRefused, "\(error.message)")
            mailbox.refuse(
                "the changed settings can't be used; the former ones stay in force",
                as: .settingsRefused
            )
            wake()
        }
    }

    /// Hands over the definitions, with the settings of single devices as they were read last, or as they are now.
    ///
    /// - Throws: what is wrong with the settings.
    private func take(_ compiled: CompiledFiles, readsDevices: Bool) throws(SettingFault) {
        let (former, known) = state.withLock { ($0.files, $0.devices) }
        let devices = readsDevices ? try known.renewed() : known
        var warnings: [String] = []
        let files = compiled.files.map { file in
            if let same = former.first(where: { $0.source.isSame(as: file.source) }) {
                var file = file
                file.definition = same.definition
                return file
            }
            warnings += file.lines(.warning)
            return file
        }
        try put(files, devices, warnings)
    }

    /// Hands over definitions with the settings of single devices.
    ///
    /// - Throws: what is wrong with the settings.
    private func put(
        _ files: [CompiledFiles.File],
        _ devices: ChosenDevices,
        _ warnings: [String] = []
    ) throws(SettingFault) {
        let (files, ignored) = try files.choosing(devices, among: adopted, since: self.files)
        let audience = try files.audience(devices, among: adopted)
        let (tellAudience, told, former) = state.withLock { state in
            defer { state.ignored = ignored }
            let former = state.devices
            state.files = files
            state.devices = devices
            state.audience = audience
            return (state.tellAudience, state.ignored, former)
        }
        // Before the mailbox, so that nothing of a new kind is sent by the former audience.
        for tell in tellAudience { tell(audience, devices.quiet) }
        if !devices.treatsPeople(as: former) {
            logger.notice(.audienceChanged, "who sees which devices, or when they are quiet, has changed")
        }
        for line in warnings { logger.warning(.definitionDoubted, "\(line)") }
        for line in ignored where !told.contains(line) { logger.warning(.choiceIgnored, "\(line)") }
        mailbox.put(files.compactMap { $0.definition })
    }

    /// Takes what is now chosen on the page, before it returns; the caller wakes the bridge.
    func readPage() {
        queue.sync {
            let (files, known) = state.withLock { ($0.files, $0.devices) }
            do throws(SettingFault) {
                try put(files, known.withPageRead())
            } catch {
                logger.error(.settingsRefused, "\(error.message)")
            }
        }
    }

    private func refuse(_ problems: [String], _ wake: () -> Void) {
        for line in problems { logger.error(.definitionsRefused, "\(line)") }
        mailbox.refuse("the changed definitions can't be used; the former ones stay in force")
        wake()
    }
}

extension [CompiledFiles.File] {
    /// Who gets the activities of their definitions.
    ///
    /// - Throws: the entries of the table that can't be taken.
    fileprivate func audience(
        _ devices: ChosenDevices,
        among adopted: AdoptedDefinitions?
    ) throws(SettingFault) -> AudiencePolicy {
        try devices.audience(
            for: compactMap { $0.definition },
            besides: (adopted?.candidates ?? []).compactMap { $0.definition }
        )
    }

    /// The files with what people chose for the devices of their definitions.
    ///
    /// - Parameters:
    ///   - devices: What people chose, also for devices of kinds that are yet to be adopted.
    ///   - adopted: The definitions that come with Skerry, if the bridge adopts such.
    ///   - former: The files until now.
    /// - Returns: the files in the same order, and what was chosen on the page and has no effect, a line for each.
    /// - Throws: the choices in the configuration file that can't be taken.
    fileprivate func choosing(
        _ devices: ChosenDevices,
        among adopted: AdoptedDefinitions?,
        since former: [CompiledFiles.File] = []
    ) throws(SettingFault) -> (files: [CompiledFiles.File], ignored: [String]) {
        let own = compactMap { $0.definition }
        let others = (adopted?.candidates ?? []).compactMap { $0.definition }
        let chosen = try devices.choose(
            for: own + others.filter { other in !own.contains { $0.kind == other.kind } },
            since: former.compactMap { $0.definition }
        )
        let files = map { file in
            var file = file
            file.definition = chosen.definitions.first { $0.kind == file.definition?.kind }
            return file
        }
        return (files, chosen.ignored)
    }
}

extension CompiledFiles {
    /// The texts of all files and of those that they extend, by path.
    var texts: [String: String] {
        let own = files.map { ($0.source.path, $0.source.text) }
        return Dictionary(own + bases.map { ($0.path, $0.text) }) { first, _ in first }
    }

    /// The files that definitions extend.
    var bases: [DefinitionBase] { files.flatMap { $0.source.bases } }
}

extension CompiledFiles.File {
    /// Its problems of a severity, one in each line.
    fileprivate func lines(_ severity: DefinitionProblem.Severity) -> [String] {
        problems.filter { $0.severity == severity }.prefix(DiagnosticPrinter.warningLimit).map { problem in
            let path = source.file(of: problem.place).path
            let place = "\(path):\(problem.place.line):\(problem.place.column)"
            let help = problem.remedy.map { "; \($0)" } ?? ""
            return "\(place): \(severity): \(problem.message)\(help) [\(problem.code.name)]"
        }
    }
}
