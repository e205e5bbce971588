import SkerryFiles
import SkerryMosquitto
import SkerryValues

extension MosquittoOptions {
    /// The same with room for messages that announce a whole house, for a search for devices.
    var forSearch: MosquittoOptions {
        var options = self
        options.payloadLimit = DeviceSearch.payloadLimit
        options.maximumPacketSize = DeviceSearch.payloadLimit + 64 * 1024
        return options
    }

    /// A bus for a survey of topics: beside the bridge's own, with a session that ends with it.
    var surveyBus: MosquittoBus {
        var options = self
        options.clientID = "\(clientID)-survey-\(UInt32.random(in: .min ... .max))"
        // The bridge's own would call it offline when this connection breaks.
        options.will = nil
        options.sessionExpiry = .zero
        options.stopLimit = .seconds(1)
        return MosquittoBus(options)
    }
}
