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
}
