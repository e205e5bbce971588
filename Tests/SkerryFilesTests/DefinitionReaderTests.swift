import SkerryDevice
import SkerryFiles
import Testing

@Suite struct DefinitionReaderTests {
}
