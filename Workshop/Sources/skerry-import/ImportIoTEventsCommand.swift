import ArgumentParser
import SkerryImport

/// `skerry import iot-events`: definitions from detector models of AWS IoT Events.
struct ImportIoTEventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "iot-events",
        abstract: "Import a detector model of AWS IoT Events.",
        discussion: """
            Reads what `aws iotevents create-detector-model` takes and `describe-detector-model` prints, and \
            CloudFormation templates in JSON or YAML. States, onEnter, onInput and onExit, conditions, variables and \
            timers become the machine, which behaves as the detectors did, with BATCH and SERIAL, even where that is \
            odd:
              timeout("awake")                  timer.awake.elapsed, and the timer is stopped by who asks first
              $input.motor.rpm > $variable.max  motor.rpm > context.max
            Every input is a topic of its own, and the key of the model is {device} in it. Calls of other services \
            (SNS, Lambda, MQTT) are reported with their places and kept as comments in the YAML.
              skerry import iot-events model.json --topic 'plant/{device}/{input}'

            Exit status: 0 when a definition was written, even if something was left out; 1 when the file has errors.
            """
    )

    @OptionGroup var options: ImportOptions

    @Option(help: "The topic of an input: {input} is its name, {device} the key.")
    var topic = DetectorTranslation.defaultTopic

    @Option(help: "Which model to import, if a template has several.")
    var model: String?

    func validate() throws {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.contains("{device}") else {
            throw ValidationError(
                "The topic needs the level {device}, as in \(DetectorTranslation.defaultTopic)."
            )
        }
    }

    func run() throws {
        try options.run { text in
            DetectorTranslation.definition(
                from: text,
                kind: options.kind,
                topic: topic,
                file: options.file,
                model: model
            )
        }
    }
}
