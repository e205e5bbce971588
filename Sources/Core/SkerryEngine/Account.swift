public import SkerryDevice
public import SkerryMachine

/// The record of what was reached, and of what was not read, of one definition.
struct Account: Sendable {
    var reach: MachineReach
    var unread: UnreadAccount

    init(of definition: Definition) {
        reach = MachineReach(of: definition.chart)
        unread = UnreadAccount(of: definition)
    }
}

extension Engine {
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

    /// Takes over what a device knew before the account of its definition began.
    mutating func takeUnread(of index: Int) {
        let place = Int(devices[index].definition)
        accounts[place].unread.take(devices[index].device, of: definition(of: index))
    }
}
