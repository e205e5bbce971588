// A table, whose rows would take up three times as many lines.
// swift-format-ignore-file

import SkerryDevice
import SkerryEngine
package import SkerryValues

extension SettingKeys {
    /// All settings, in the order in which people read them.
    package static let all = [
        Definitions.all, Bridge.all, MQTT.all, Store.all, History.all, Place.all, HTTP.all, HomeAssistant.all,
        Log.all, App.all, PushLimits.all, Sink.all, Limits.all,
    ].flatMap { $0 }

    static let names = Set(all.map(\.name))

    package enum Definitions {
        package static let definitions = list("definitions", "path, list of paths, `auto`", ["devices"])
            .help("files and folders of definitions; `auto` stands for [those that come with Skerry](how-to/definitions.md#definitions-that-find-their-devices)", default: "`devices`, and [`auto`](how-to/definitions.md#without-a-definition) if there is none in it")
            .flag("definitions", "A file or folder of definitions, or 'auto' (default: devices, or auto if nothing is there).")
        package static let language = text("language", "a tag, such as `de` or `pt-BR`")
            .help("the language of [texts that are written in several](language/README.md#texts-in-several-languages)", default: "the first one of each definition")
        package static let topics = list("topics", "list of `from = to`", [])
            .help("beginnings of topics that are [other ones here](how-to/definitions.md#other-topics-than-those-of-a-definition) than in definitions, such as `zigbee2mqtt = ground/zigbee`", default: "none")

        private static let mappings = [
            mapping("devices", "devices with their settings", "[settings of single devices](how-to/names-and-settings.md); in the file only"),
            mapping("names", "devices with their names", "[what people call single devices](how-to/names-and-settings.md); in the file only"),
            mapping("audience", "devices with their people", "[who sees which device](pairing.md#who-sees-what) on a phone; in the file only", default: "everybody"),
            mapping("people", "people with their quiet hours", "[hours in which nothing sounds](pairing.md#quiet-hours), such as `Ada: { quiet: \"22:00-07:00\" }`; in the file only"),
        ]
        static let all = declared(definitions) + mappings + declared(language, topics)
    }

    package enum Bridge {
        package static let prefix = text("prefix", "topic without `+` and `#`", default: "skerry")
            .help("what all published topics begin with; every bridge needs one of its own")
            .flag("prefix", "What all published topics start with (default: *).")
        package static let partitions = number("partitions", 1...Partition.limit)
            .help("among how many processes [the devices are shared out](partitions.md); `--partition` says which one a process is")
        package static let partitionPrefix = text("partition-prefix", "the beginning of topics")
            .help("where [NATS servers](partitions.md#nats) publish the messages of each partition: `p` for `p/3/…`")
        package static let healthInterval = seconds("health-interval", 1...86_400, 60)
            .help("how often `bridge/health` is published")
        package static let publishesDiffs = truth("publish.diff", true)
            .help("whether each change is also published as [a diff](publishing.md#the-diff); readers of snapshots, such as Home Assistant, need none")
        package static let publishesTimelines = truth("publish.timeline", false)
            .help("whether [timelines](publishing.md#the-timeline) are published; the page, and widgets over HTTP, have them all the same")

        static let all = declared(
            prefix, partitions, partitionPrefix, healthInterval, publishesDiffs, publishesTimelines
        )
    }

    package enum MQTT {
        package static let host = hostName("mqtt.host", default: "localhost")
            .help("the broker")
            .flag("host", "The broker's host name or address (default: *).")
        package static let port = number("mqtt.port", 1...65_535)
            .help("its port", default: "`1883`, with TLS `8883`")
            .flag("port", "The broker's port (default: *).")
        package static let clientID = text("mqtt.client-id", default: "skerry")
            .help(
                "the name of the session; two bridges must not share one",
                default: "`skerry-` and the mark of the store"
            )
            .flag("client-id", "The MQTT client id, the name of the session; commands that ask add to it.")
        package static let username = text("mqtt.username")
            .help("the user")
            .flag("username", "The user name.")
        package static let passwordFile = text("mqtt.password-file", "path")
            .secret(.file)
            .help("a file with the password, read again for each connection, or a pipe, read once; it outranks an `mqtt.password` from the same place")
            .flag("password-file", "A file with the password.")
        package static let password = text("mqtt.password")
            .secret(.text)
            .help("the password; a file or the environment keeps it out of backups of the settings")
        package static let version = word("mqtt.version", ["5", "3.1.1"], "5")
            .help("the version of MQTT; [3.1.1](partitions.md#nats) for brokers that lack 5")
        package static let receiveMaximum = number("mqtt.receive-maximum", 1...512, 500)
            .help("messages that the broker may send before one is acknowledged")
        package static let usesTLS = truth("mqtt.tls.enabled")
            .help("whether to use TLS", default: "`true` with any other key of `tls`")
            .flag("tls", "Use TLS with the authorities that the system trusts.")
        package static let authorityFile = text("mqtt.tls.ca", "path of a PEM file")
            .help("authorities to trust", default: "the system's")
            .flag("ca", "PEM file of the trusted authorities; turns TLS on.")
        package static let certificateFile = text("mqtt.tls.certificate", "path of a PEM file")
            .help("this client's certificate")
            .flag("cert", "PEM file of this client's certificate.")
        package static let keyFile = text("mqtt.tls.key", "path of a PEM file")
            .secret(.file)
            .help("its private key")
            .flag("key", "PEM file of this client's private key.")
        package static let isInsecure = truth("mqtt.tls.insecure", false)
            .help("accept a certificate for another host name")
            .flag("insecure", "Accept a certificate for another host name.")

        static let all = declared(
            host, port, clientID, username, passwordFile, password, version, receiveMaximum, usesTLS,
            authorityFile, certificateFile, keyFile, isInsecure
        )
    }

    package enum Store {
        package static let path = text("store.path", "path, `none`, `postgresql://…`")
            .help("the database that keeps devices over a restart; see [what is kept](what-is-kept.md). One of PostgreSQL is for [several gateways](cluster.md)", default: "`$STATE_DIRECTORY/skerry.db`, else `~/.local/state/skerry/<client id>.db`")
            .flag("store", "The database that keeps devices over a restart, or 'none'.")
        package static let lease = seconds("store.lease", 3...3600, 10)
            .help("with PostgreSQL: how long a gateway that does not answer stays the active one")
        package static let brokerPatience = seconds("store.broker-patience", 15...86_400, 60)
            .help("with PostgreSQL: how long the active gateway may be without its broker before it hands over to one that has it")
        package static let durability = word("store.durability", ["full", "normal"], "full")
            .help("what a commit survives: a power cut, or the end of the process")
        package static let checkpointInterval = seconds("store.checkpoint", 1...86_400, 300)
            .help("how long readings that changed nothing else may wait to be stored")

        static let all = declared(path, lease, brokerPatience, durability, checkpointInterval)
    }

    package enum History {
        package static let alertFreshness = seconds("alerts.freshness", 0...86_400, 900)
            .help("how long after it was raised an [alert](reference/health.md#late-alerts) may be sent")
        package static let activities = number("history.activities", 0...1_000_000, 10_000)
            .help("how many ended activities are kept; 0 keeps none")
        package static let days = number("history.days", 1...36_500, 90)
            .help("how long after its end an activity is kept")
        package static let recordHours = number("record.hours", 0...48, 0)
            .help("for how many hours the messages of each device are [kept in memory](what-is-kept.md#recordings-of-the-last-hours); 0 keeps none")

        static let all = declared(alertFreshness, activities, days, recordHours)
    }

    package enum Place {
        package static let zone = text("place.zone", "name such as `Europe/Berlin`")
            .help("whose clocks [times of day](language/actions.md#times-of-day) go by; set it in a container, which often has UTC", default: "the zone of this machine")
        package static let latitude = degrees("place.latitude", -90...90)
            .help("where the sun rises and sets, north of the equator")
        package static let longitude = degrees("place.longitude", -180...180)
            .help("the same, east of Greenwich")

        package static let all = declared(zone, latitude, longitude)
    }

    package enum HTTP {
        package static let address = text("http.address", "`HOST:PORT`, `[IPv6]:PORT`, `none`", default: "127.0.0.1:7537")
            .help("where the page and the [HTTP API](reference/http-api.md) are")
            .flag("address", "Where the HTTP API of the bridge listens (default: http.address).")
        package static let url = text("http.url", "`https://…`")
            .help("the address that phones use for the API; it is in the QR code", default: "the address")
        package static let adminTokenFile = text("http.admin-token-file", "path")
            .secret(.file)
            .help("the secret that allows pairing phones; created if missing", default: "`$STATE_DIRECTORY/admin-token`, else `~/.local/state/skerry/admin-token`")
            .flag("token-file", "The file with the admin token (default: http.admin-token-file).")
        package static let metricsTokenFile = text("http.metrics-token-file", "path")
            .secret(.file)
            .help("a file with a token that opens [`/metrics`](how-to/monitoring.md#metrics), and nothing else", default: "none: the admin token opens it")
        package static let allowsEditing = truth("http.edit", false)
            .help("whether an administrator may write definitions and choose settings of devices on the page")
        package static let requestsPerMinute = number("http.requests-per-minute", 1...1_000_000, 300)
            .help("requests that one address may send; more are refused with 429")
        package static let hosts = list("http.hosts", "name, or list of names")
            .help("further [names of the bridge](reference/http-api.md)")
        package static let partitionHosts = list("http.partition-hosts", "name or IP address, or list of them")
            .help("where [the front of all partitions](partitions.md#one-page-for-all-partitions) looks for their gateways", default: "this computer")
        package static let proxies = list("http.proxies", "IP address, or list of them")
            .help("reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed")
        package static let basePath = text("http.base-path", "path such as `/skerry`")
            .help("the prefix below which [a reverse proxy](how-to/reverse-proxy.md) shows the page, where the proxy leaves it in the address", default: "none")
        package static let ingress = text("http.ingress", "IP address")
            .help("[Home Assistant's Supervisor](how-to/home-assistant-app.md): what it passes on may do what a program on the gateway may", default: "none")
        package static let certificateFile = text("http.tls.certificate", "path of a PEM file")
            .help("the certificate for [TLS](reference/http-api.md), then those that it is signed with", default: "none: no TLS")
        package static let keyFile = text("http.tls.key", "path of a PEM file")
            .secret(.file)
            .help("its private key, without a password")
        package static let secureAddress = text("http.tls.address", "`HOST:PORT`, `[IPv6]:PORT`", default: "[::]:7538")
            .help("where the page and the API are with TLS, besides `http.address`")

        static let all = declared(
            address, url, adminTokenFile, metricsTokenFile, allowsEditing, requestsPerMinute, hosts, partitionHosts, proxies,
            basePath, ingress, certificateFile, keyFile, secureAddress
        )
    }

    package enum HomeAssistant {
        package static let isAnnounced = truth("home-assistant.discovery", false)
            .help("whether devices are [announced to Home Assistant](publishing.md#home-assistant)")
        package static let prefix = text("home-assistant.prefix", "topic without `+` and `#`", default: "homeassistant")
            .help("where Home Assistant looks for announcements")

        static let all = declared(isAnnounced, prefix)
    }

    package enum Log {
        package static let level = word("log.level", ["trace", "debug", "info", "notice", "warning", "error", "critical"], "info")
            .help("how much is logged")
            .flag("log-level", "How much to log: trace, debug, info, notice, warning, error (default: *).")
        package static let format = word("log.format", ["text", "json"])
            .help("one line each, also of the error that ends the bridge; JSON has `time` (RFC 3339, to the millisecond), `level`, `logger`, the [`id`](reference/log.md) of its kind, and `message`", default: "`text` on a terminal, else `json`")
            .flag("log-format", "How to log: text or json, one object a line (default: *).")

        static let all = declared(level, format)
    }

    /// An app whose phones get pushes; names are those below `push.apns`, or below the name of a further app.
    package enum App {
        package static let keyFile = text("key", "path of a `.p8` file")
            .secret(.file)
            .help("the key that signs [pushes to phones](phones.md#give-the-gateway-the-key)", default: "none: no pushes")
        package static let keyID = text("key-id", "ten letters and digits")
            .help("the key's id", default: "that in `AuthKey_….p8`")
        package static let teamID = text("team-id", "ten letters and digits")
            .help("the team's id")
        package static let bundleID = text("bundle-id", "like `org.example.app`")
            .help("the app")
        package static let usesChannels = truth("channels", false)
            .help("one push for all phones with iOS 18; the app needs the capability")
        package static let host = text("host", "name and port")
            .help("another host for all pushes, such as a stand-in or port 2197", default: "Apple's")
        package static let authorityFile = text("ca", "path of a PEM file")
            .help("authorities to trust for that host", default: "the system's")

        /// Those that each app has for itself.
        private static let own = declared(keyFile, keyID, teamID, bundleID, usesChannels)
        private static let others = SettingDeclaration(name: "push.apps", form: .named(own, "names with the settings of an app"), standard: "none", help: "[further apps](phones.md#several-apps), each with `key`, `key-id`, `team-id`, `bundle-id` and `channels`; in the file only")
        /// Those of the first app.
        package static let ofFirst = (own + declared(host, authorityFile)).map { $0.below("push.apns") }
        static let all = ofFirst + [others]
    }

    package enum PushLimits {
        package static let updates = number("push.limits.updates", 0...1000, 15)
            .help("urgent pushes that a phone gets in an hour; further ones are sent with low priority")
        package static let frequentUpdates = number("push.limits.frequent-updates", 0...1000, 60)
            .help("the same for a phone that allows frequent updates")
        package static let starts = number("push.limits.starts", 1...100, 8)
            .help("activities that are started on a phone in an hour")
        package static let activities = number("push.limits.activities", 1...20, 5)
            .help("activities that a phone shows at once")
        package static let widgets = number("push.limits.widgets", 0...1000, 40)
            .help("[pushes for widgets](phones/own-app.md#pushes-for-widgets) that a phone gets in a day")

        static let all = declared(updates, frequentUpdates, starts, activities, widgets)
    }

    /// A further service that shows activities; names are those below its own.
    package enum Sink {
        package static let url = text("url", "`http://…`, `https://…`")
        package static let mode = word("mode", ["structured", "binary"], "structured")
        package static let topic = text("topic", "letters, digits, `_`, `-`")
        package static let person = text("person", "name")
        package static let appID = text("app-id")
        package static let targets = list("targets", "text, or list of texts")
        package static let serviceAccountFile = text("service-account-file", "path").secret(.file)
        package static let secretFile = text("secret-file", "path").secret(.file)
        package static let secret = text("secret", "`whsec_` and base64").secret(.text)
        package static let tokenFile = text("token-file", "path").secret(.file)
        package static let token = text("token").secret(.text)
        package static let keyFile = text("key-file", "path").secret(.file)
        package static let key = text("key").secret(.text)
        package static let requestsPerHour = number("requests-per-hour", 1...240, 20)
        package static let authorityFile = text("ca", "path of a PEM file")
            .help("authorities to trust", default: "the system's")

        package static let ntfyServer = "https://ntfy.sh"
        package static let fcmServer = "https://fcm.googleapis.com"

        private static let homeAssistant = declared(
            url.help("[Home Assistant](sinks.md#home-assistant), whose app shows activities"),
            targets.help("the phones: `mobile_app_…`, as below `notify.`; with `… for Ada` whose [they are](pairing.md#who-sees-what)"),
            tokenFile.help("a file with a long-lived access token; it outranks a `token` from the same place"),
            token.help("the token; a file or the environment keeps it out of backups of the settings"),
            requestsPerHour.help("notifications for each phone in an hour"),
            authorityFile
        )
        private static let webhook = declared(
            url.help("a program that takes [events](sinks.md#webhook)"),
            mode.help("the form of the events"),
            secretFile.help("a file with the secret of signatures; it outranks a `secret` from the same place", default: "none: not signed"),
            secret.help("the secret"),
            authorityFile
        )
        private static let ntfy = declared(
            topic.help("the topic of [ntfy](sinks.md#ntfy)"),
            person.help("[the person](pairing.md#who-sees-what) who follows the topic"),
            url.help("the server", default: "`\(ntfyServer)`"),
            tokenFile.help("a file with an access token; it outranks a `token` from the same place"),
            token.help("the token"),
            requestsPerHour.help("messages in an hour"),
            authorityFile
        )
        private static let fcm = declared(
            serviceAccountFile.help("[Firebase](sinks-for-apps.md#fcm): the JSON file of a service account, with its key"),
            targets.help("registration tokens of your app, or `topic:NAME`; with `… for Ada` whose [they are](pairing.md#who-sees-what)"),
            requestsPerHour.help("messages for each target in an hour"),
            url.help("the server", default: "`\(fcmServer)`"),
            authorityFile.help("authorities to trust, also for access tokens")
        )
        private static let braze = declared(
            url.help("the REST endpoint of [Braze](sinks-for-apps.md#braze)"),
            appID.help("the identifier of the app"),
            targets.help("external ids of users, or `segment:ID`; with `… for Ada` whose [they are](pairing.md#who-sees-what)"),
            keyFile.help("a file with a REST API key; it outranks a `key` from the same place"),
            key.help("the key"),
            requestsPerHour.help("requests for each target in an hour"),
            authorityFile
        )
        static let all = [
            ("home-assistant", homeAssistant), ("webhook", webhook), ("ntfy", ntfy), ("fcm", fcm),
            ("braze", braze),
        ].flatMap { name, settings in settings.map { $0.below("sinks.\(name)") } }
    }

    package enum Limits {
        package static let payload = number("limits.payload", 1...16_777_216, DeviceLimits().json.bytes, "bytes")
            .help("a longer message is refused, counted and told. With MQTT 5 the broker is asked not to send it; with 3.1.1 the client library reads it whole, twice its size in memory, before it can be refused: set `message_size_limit` in mosquitto, `max_payload` in NATS")
        package static let jsonDepth = number("limits.json-depth", 1...512, DeviceLimits().json.depth)
            .help("deeper JSON is refused and counted")
        package static let devices = number("limits.devices", 1...1_000_000, EngineLimits().devices)
            .help("a further device [replaces another one](reference/limits.md#too-many-devices), or its messages are counted and ignored")
        package static let newDevices = number("limits.new-devices", 0...1_000_000, EngineLimits().newDevices)
            .help("how many devices may replace others within a minute")
        package static let deviceName = number("limits.device-name", 1...65_535, EngineLimits().nameBytes, "bytes")
            .help("messages of devices with longer names are counted and ignored")
        package static let value = number("limits.value", 1024...16_777_216, DeviceLimits().valueBytes, "bytes")
            .help("a [larger value](reference/limits.md#large-values) of a signal or variable is refused; the previous one stays")
        package static let deviceValues = number("limits.device-values", 1024...268_435_456, DeviceLimits().deviceBytes, "bytes")
            .help("the same for all signals and variables of a device together")
        package static let allValues = number("limits.all-values", 1_048_576...1_099_511_627_776, EngineLimits().valueBytes, "bytes")
            .help("the same for those of all devices together")
        package static let topics = number("limits.topics", 1...10_000_000, EngineLimits().topics)
            .help("how many topics are remembered; then all are forgotten and found again")
        package static let expressionCost = number("limits.expression-cost", 100...10_000_000, Int(DeviceLimits().expressionCost))
            .help("[an evaluation](expressions.md#cost-and-limits) beyond it is an error")
        package static let microsteps = number("limits.microsteps", 1...10_000, DeviceLimits().microsteps)
            .help("transitions of one macrostep; more are a fault")
        package static let content = number("limits.content", 64...65_536, DeviceLimits().contentBytes, "bytes")
            .help("larger content is a fault, and the previous content stays")
        package static let outbox = number("limits.outbox", 100...1_000_000, 10_000)
            .help("publications that wait for the broker; beyond it, the oldest that is not retained is dropped. Also the ended activities that wait for each further sink")

        static let all = declared(
            payload, jsonDepth, devices, newDevices, deviceName, value, deviceValues, allValues, topics,
            expressionCost, microsteps, content, outbox
        )
    }
}
