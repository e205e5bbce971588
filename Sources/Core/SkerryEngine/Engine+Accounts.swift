public import SkerryDevice
public import SkerryMachine
public import SkerryValues

// What tests of definitions ask of an engine: devices in a situation, and an account of what was reached and what failed.

extension Engine {
    /// Puts a device of which nothing was heard yet into a situation, as tests do; the device is made if there is none.
    ///
    /// - Returns: what came of it.
    public mutating func begin(
        _ situation: Situation,
        device name: String,
        kind: String,
        at time: Timestamp
    ) -> [Effect] {
        var effects: [Effect] = []
        now = max(now, time)
        if let definition = place(of: kind), let index = device(named: name, definition: definition, &effects)
        {
            turn(index, at: now, &effects) { $0.begin(situation) }
            deliverRelays(&effects)
        }
        wakeDue(by: now, &effects)
        return effects
    }

    /// Keeps account of the states that devices enter and the transitions that they take, from now on.
    public mutating func recordReach() { workspace.recordsReach = true }

    /// Keeps the meaning of the last message for its devices, as ``readings``, from now on.
    public mutating func recordReadings() { workspace.recordsReadings = true }

    /// The parts that the devices of each definition told and it did not read, in the order of the definitions.
    public var unread: [[Unread]] { zip(accounts, definitions).map { $0.unread.parts(in: $1) } }

    /// The parts that a device told and its definition does not read; nothing if there is no such device.
    public func unread(kind: String, device name: String) -> [Unread] {
        guard let index = index(of: name, kind: kind) else { return [] }
        return unread(of: index)
    }

    /// The parts that a device told and its definition does not read.
    func unread(of index: Int) -> [Unread] {
        accounts[Int(devices[index].definition)].unread.parts(
            of: devices[index].device,
            in: definition(of: index)
        )
    }

    /// The part of each definition's machine that devices have reached since ``recordReach()``, in the order of the
    /// definitions.
    public var reach: [MachineReach] { accounts.map { $0.reach } }
}

extension Engine {
    /// Takes over what a device knew before the account of its definition began.
    mutating func takeUnread(of index: Int) {
        let place = Int(devices[index].definition)
        accounts[place].unread.take(devices[index].device, of: definition(of: index))
    }
}

/// The record of what was reached, and of what was not read, of one definition.
struct Account: Sendable {
    var reach: MachineReach
    var unread: UnreadAccount

    init(of definition: Definition) {
        reach = MachineReach(of: definition.chart)
        unread = UnreadAccount(of: definition)
    }
}
