import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryMachine
import SkerryValues

/// Compares the disk after the end of a process with an engine that got everything acknowledged.
///
/// States, timers and published content must be equal to the last bit. Only numbers that changed nothing else may be
/// older, and with them the moment of the last message.
enum KeepingJudge {
    private static let name = "keeping"

    static func judge(_ contents: DiskContents, acknowledged: Engine) throws(Violation) {
        let now = acknowledged.now
        var effects: [Effect] = []
        let empty = Engine(definitions: acknowledged.definitions, epoch: contents.epoch ?? 0)
        var restoration = EngineRestoration(of: empty, after: Downtime(start: now, end: now))
        for image in contents.state.devices {
            guard let layout = contents.layouts[image.layout] else {
                throw Violation(name, "\(image.kind)/\(image.name): no layout for its image")
            }
            guard case .restored = restoration.restore(image, layout: layout, effects: &effects) else {
                throw Violation(name, "\(image.kind)/\(image.name): its image can't be read")
            }
        }
        let kept = restoration.engine
        var names: [(kind: String, name: String)] = []
        acknowledged.forEachDevice { names.append(($0, $1.name)) }
        for (kind, device) in names {
            guard let expected = acknowledged.device(kind: kind, named: device) else { continue }
            guard let found = kept.device(kind: kind, named: device) else {
                if expected.device.hasActivity {
                    throw Violation(name, "\(kind)/\(device) is not on the disk and showed something")
                }
                continue
            }
            try compare(found.device, expected.device, in: expected.definition, "\(kind)/\(device)")
        }
    }

    private static func compare(
        _ found: Device,
        _ expected: Device,
        in definition: Definition,
        _ device: String
    ) throws(Violation) {
        let states = (found.stateName(in: definition), expected.stateName(in: definition))
        if states.0 != states.1 {
            throw Violation(name, "\(device): the disk says \(states.0), acknowledged was \(states.1)")
        }
        let shown = (found.activity?.snapshotJSON() ?? [], expected.activity?.snapshotJSON() ?? [])
        if shown.0 != shown.1 {
            let texts = (RevisionJudge.text(shown.0), RevisionJudge.text(shown.1))
            throw Violation(name, "\(device): the disk shows \(texts.0), acknowledged was \(texts.1)")
        }
        if found.isAvailable != expected.isAvailable {
            throw Violation(name, "\(device): another availability is on the disk")
        }
        for (number, timer) in definition.timers.enumerated() {
            // The other policies start over or drop the timer at each restart, whatever the disk holds.
            guard timer.onRestart == .deadline || timer.onRestart == .remaining else { continue }
            let id = TimerID(rawValue: UInt16(number))
            if found.machine.timer(id) != expected.machine.timer(id) {
                throw Violation(
                    name,
                    "\(device): timer \(number) on the disk is \(found.machine.timer(id)), acknowledged was"
                        + " \(expected.machine.timer(id))"
                )
            }
        }
        for variable in definition.variableNames {
            let values = (
                found.variable(variable, in: definition), expected.variable(variable, in: definition)
            )
            if "\(values.0)" != "\(values.1)" {
                throw Violation(name, "\(device): \(variable) is \(values.0), acknowledged was \(values.1)")
            }
        }
    }
}
