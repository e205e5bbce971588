package import SkerryActivity
import SkerryPhones
package import SkerryValues

/// Somebody who reads, with the right to see.
package enum Viewer: Equatable, Sendable {
    /// The administrator, and programs on the gateway and the broker: they see everything.
    case unrestricted
    /// A phone or a browser by its id, the person that it belongs to, and the policy in force.
    case phone(String, person: String?, AudiencePolicy)

    /// True if nothing is kept from any phone.
    package var seesEverything: Bool {
        switch self {
        case .unrestricted: true
        case .phone(_, _, let policy): policy.isOpen
        }
    }

    /// Returns whether it sees an activity, or a device by its present run.
    ///
    /// - Parameters:
    ///   - kind: The kind of the device.
    ///   - device: Its name.
    ///   - attributes: The attributes of the run; nil when no run is known.
    /// - Returns: whether it sees it.
    package func sees(
        kind: String,
        device: String,
        attributes: @autoclosure () -> ValueMap?
    ) -> Bool {
        switch self {
        case .unrestricted: true
        case .phone(_, let person, let policy):
            policy.allows(person, kind: kind, device: device, attributes: attributes())
        }
    }

    /// Returns whether it is told of an event of the log.
    ///
    /// A run that another one replaced is dismissed for those alone who do not see the other one: it would stay on their
    /// pages until the device is forgotten.
    ///
    /// - Parameters:
    ///   - device: The device of the event; nil for an event of the bridge, which everybody sees.
    ///   - attributes: Those of its run, see ``LoggedEvent/attributes``.
    ///   - successor: Those of the run that took its place, see ``LoggedEvent/successor``.
    /// - Returns: whether it is told.
    package func sees(eventOf device: DeviceKey?, attributes: ValueMap?, successor: ValueMap?) -> Bool {
        guard let device else { return true }
        let (kind, name) = (device.kind, device.name)
        guard sees(kind: kind, device: name, attributes: attributes) else { return false }
        return successor.map { !sees(kind: kind, device: name, attributes: $0) } ?? true
    }

    /// Returns whether it sees an activity of a device.
    func sees(_ activity: ActivityUpdate, of device: DeviceKey) -> Bool {
        sees(kind: device.kind, device: device.name, attributes: activity.attributes)
    }

    /// Returns whether each run of the kind has its own person, so that what came before the present run stays hidden.
    package func seesSingleRuns(ofKind kind: String) -> Bool {
        switch self {
        case .unrestricted: false
        case .phone(_, _, let policy): policy.attribute(ofKind: kind) != nil
        }
    }

    /// Returns whether it may see a decision: one about its own phone, or about a channel, which concerns all phones.
    func learns(of decision: PhoneDecision) -> Bool {
        switch self {
        case .unrestricted: true
        case .phone(let id, _, let policy): policy.isOpen || decision.phone.isEmpty || decision.phoneID == id
        }
    }
}
