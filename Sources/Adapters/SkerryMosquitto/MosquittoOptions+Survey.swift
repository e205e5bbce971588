import SkerryValues

extension MosquittoOptions {
    /// A bus for a survey of topics: beside the bridge's own, with a session that ends with it.
    public var surveyBus: MosquittoBus {
        var options = self
        options.clientID = "\(clientID)-survey-\(UInt32.random(in: .min ... .max))"
        // The bridge's own would call it offline when this connection breaks.
        options.will = nil
        options.sessionExpiry = .zero
        options.stopLimit = .seconds(1)
        return MosquittoBus(options)
    }
}
