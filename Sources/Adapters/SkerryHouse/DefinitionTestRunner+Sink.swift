public import SkerryDevice
public import SkerryFiles
import SkerryEngine
import SkerryGateway

extension DefinitionTestRunner {
    /// Makes a runner for the tests of a definition that sees what a bridge publishes, with the default prefix.
    public init(_ definition: Definition) {
        self.init(definition) { effect in
            MQTTSink().publications(of: effect).map { publication in
                RecordedMessage(
                    at: effect.at,
                    topic: Array(publication.topic.utf8)[...],
                    payload: publication.payload[...],
                    qos: publication.quality.rawValue,
                    isRetained: publication.isRetained
                )
            }
        }
    }
}
