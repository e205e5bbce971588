/// The reports of washing machines in turns; each repeats its state until it changes.
public struct WasherLoad: Sendable {
    /// The number of machines.
    public let machines: Int
    /// One of so many messages changes the state of its machine; 0 if none does.
    ///
    /// It divides the number of machines, or is a multiple of it.
    public let period: Int

    /// Makes the load of which one of `period` messages changes a state.
    public init(period: Int, machines: Int = 100) {
        self.period = period
        self.machines = machines
    }

    /// The topic of a message, counted from 0.
    public func topic(_ index: Int) -> [UInt8] { Array("homeconnect/w\(index % machines)/state".utf8) }

    /// The payload of a message, counted from 0.
    public func payload(_ index: Int) -> [UInt8] {
        // Not all machines change at the same moment.
        let machine = index % machines
        let phase = period > machines ? machine * (period / machines) : period == 0 ? 0 : machine % period
        let step = period == 0 ? 0 : (index / machines + phase) / period
        let operation = step.isMultiple(of: 2) ? "Run" : "Pause"
        return Array(
            """
            {"OperationState":"\(operation)","ActiveProgram":"Cotton","RemainingProgramTime":\(3600 - step % 2)}
            """.utf8
        )
    }

    /// Messages that begin anew after the last one, at most `count`.
    public func messages(upTo count: Int) -> [(topic: [UInt8], payload: [UInt8])] {
        (0..<min(count, 2 * machines * max(1, period))).map { (topic($0), payload($0)) }
    }
}
