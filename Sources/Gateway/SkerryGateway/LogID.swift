package import Logging

/// The kind of a line of the log: an id that stays, whatever the words of the line are.
///
/// docs/reference/log.md says what each means, and what to do.
package enum LogID: String, CaseIterable, Sendable {
    /// An action may not publish on its topic.
    case actionRefused = "action-refused"
    /// A definition was adopted, and that can't be kept over a restart.
    case adoptionNotStored = "adoption-not-stored"
    /// An alert was too late to be sent.
    case alertLate = "alert-late"
    /// The devices that people see, or their quiet hours, have changed.
    case audienceChanged = "audience-changed"
    /// A limit was reached: devices, names or values.
    case beyondLimit = "beyond-limit"
    /// A browser was let in, in a role.
    case browserLetIn = "browser-let-in"
    /// The session of a browser was ended.
    case browserEnded = "browser-ended"
    /// A partition does not let a browser in that the front introduces.
    case browserRefused = "browser-refused"
    /// The moment at which a browser was here last can't be stored.
    case browserNotStored = "browser-not-stored"
    /// The image of a browser in the store can't be read.
    case browserUnreadable = "browser-unreadable"
    /// A choice made on the page has no effect.
    case choiceIgnored = "choice-ignored"
    /// The clock is right now; time had passed uncounted.
    case clockFound = "clock-found"
    /// Somebody set the clock.
    case clockSet = "clock-set"
    /// A command for a device was refused.
    case commandRefused = "command-refused"
    /// The store refused a commit; it is repeated.
    case commitRefused = "commit-refused"
    /// The last commits may be missing, so everything is published again.
    case commitsLost = "commits-lost"
    /// The broker accepted the connection.
    case connected
    /// A device was recognised, and its definition adopted.
    case definitionAdopted = "definition-adopted"
    /// A definition is used in which something is hardly meant.
    case definitionDoubted = "definition-doubted"
    /// Changed definitions are in force; the line says what that means for devices.
    case definitionsChanged = "definitions-changed"
    /// Changed definitions can't be used; the former ones stay in force.
    case definitionsRefused = "definitions-refused"
    /// The machine of a device has a fault, or its content is too large.
    case deviceFault = "device-fault"
    /// A device was forgotten on request.
    case deviceForgotten = "device-forgotten"
    /// A topic may be that of a device.
    case deviceGuessed = "device-guessed"
    /// A device could not be restored.
    case deviceLost = "device-lost"
    /// A device went from one state to another.
    case deviceMoved = "device-moved"
    /// The definition of a device no longer exists.
    case deviceOrphaned = "device-orphaned"
    /// A device ended several processes and is set aside.
    case deviceSetAside = "device-set-aside"
    /// The connection to the broker ended, or could not be made.
    case disconnected
    /// The broker refuses a subscription of the search for devices.
    case discoveryRefused = "discovery-refused"
    /// The bridge has ended in good order.
    case ended
    /// The list of errors of phones and services misses some.
    case errorsNotStored = "errors-not-stored"
    /// Why the process ends, or what is wrong with its settings.
    case fault
    /// Home Assistant has started, and devices are announced to it.
    case homeAssistantStarted = "home-assistant-started"
    /// This gateway took the lease of the shared store, and is the active one.
    case leaseTaken = "lease-taken"
    /// The level of the log was changed by a request.
    case logLevel = "log-level"
    /// A message was too large.
    case messageOversized = "message-oversized"
    /// There is no definition yet.
    case noDefinitions = "no-definitions"
    /// Another bridge, or another client, writes on the topics of this one.
    case otherBridge = "other-bridge"
    /// The page is not there, and the bridge goes on without it.
    case pageAway = "page-away"
    /// The address of the page.
    case pageOpen = "page-open"
    /// Somebody sent wrong codes for pairing.
    case pairingCodesWrong = "pairing-codes-wrong"
    /// There is no admin token, so no phone can be paired.
    case pairingOff = "pairing-off"
    /// A partition answers the front.
    case partitionAnswers = "partition-answers"
    /// Devices are being shared out otherwise, and this partition ends.
    case partitionEnds = "partition-ends"
    /// A partition does not answer the front.
    case partitionSilent = "partition-silent"
    /// The broker gave a partition a message of another.
    case partitionWrong = "partition-wrong"
    /// A definition could not read a payload.
    case payloadRefused = "payload-refused"
    case phonePaired = "phone-paired"
    case phoneRemoved = "phone-removed"
    /// The image of a phone in the store can't be read.
    case phoneUnreadable = "phone-unreadable"
    /// The token for Apple can't be stored.
    case providerTokenNotStored = "provider-token-not-stored"
    /// The broker refused a publication.
    case publicationRefused = "publication-refused"
    /// Too many publications waited, and the oldest were given up.
    case publicationsDropped = "publications-dropped"
    /// Apple's answer to a push.
    case pushAnswered = "push-answered"
    /// A push to a phone, or the reason why there was none.
    case pushDecision = "push-decision"
    /// The store refused what a push needs stored.
    case pushNotStored = "push-not-stored"
    /// The hosts of pushes, and the key that signs them.
    case pushesBegin = "pushes-begin"
    /// Pushes pause, because Apple refuses the token or there is none.
    case pushesPaused = "pushes-paused"
    /// More questions came than can be answered.
    case questionsRefused = "questions-refused"
    /// The bridge can't read its own retained messages.
    case readBackFailed = "read-back-failed"
    /// The knowledge of the last process was restored.
    case recovered
    /// The last start ended while devices were being restored.
    case recoveryRepeated = "recovery-repeated"
    /// The number of repetitions of a line in the last minute.
    case repeated
    /// A retained message of a device that no longer exists was deleted.
    case retainedDeleted = "retained-deleted"
    /// Retained messages that were wrong or missing were published again, or deleted.
    case retainedMended = "retained-mended"
    /// Others on this machine can read a secret.
    case secretOpen = "secret-open"
    /// The service manager can't be told how the bridge is doing.
    case serviceManagerAway = "service-manager-away"
    /// Changed settings of devices can't be used.
    case settingsRefused = "settings-refused"
    /// Changed settings count from the next start.
    case settingsWait = "settings-wait"
    /// The answer of a further service.
    case sinkAnswered = "sink-answered"
    /// Activities go to a further service.
    case sinkBegins = "sink-begins"
    /// A request to a further service, or the reason why there was none.
    case sinkDecision = "sink-decision"
    /// Another gateway has the lease of the shared store, and this one waits.
    case standby
    /// The process starts: settings, definitions, store and broker.
    case starting
    /// The store can't be opened yet.
    case storeAway = "store-away"
    /// A damaged store was set aside, and a new one begun.
    case storeDamaged = "store-damaged"
    /// There is room on the disk again.
    case storeHasRoom = "store-has-room"
    /// Readers know more than the store, which may be an older copy.
    case storeOlder = "store-older"
    /// The broker refused a subscription.
    case subscriptionRefused = "subscription-refused"
    /// Changes of definitions are noticed again.
    case watchBack = "watch-back"
    /// Changes of definitions may not be noticed.
    case watchLost = "watch-lost"

    /// The key of the id among the metadata of a line.
    package static let key = "id"
}

extension Logger {
    /// Logs a line of a kind.
    package func debug(_ id: LogID, _ text: @autoclosure () -> String) { log(id, .debug, text()) }

    /// Logs a line of a kind.
    package func info(_ id: LogID, _ text: @autoclosure () -> String) { log(id, .info, text()) }

    /// Logs a line of a kind.
    package func notice(_ id: LogID, _ text: @autoclosure () -> String) { log(id, .notice, text()) }

    /// Logs a line of a kind.
    package func warning(_ id: LogID, _ text: @autoclosure () -> String) { log(id, .warning, text()) }

    /// Logs a line of a kind.
    package func error(_ id: LogID, _ text: @autoclosure () -> String) { log(id, .error, text()) }

    private func log(_ id: LogID, _ level: Logger.Level, _ text: @autoclosure () -> String) {
        log(level: level, "\(text())", metadata: [LogID.key: .string(id.rawValue)])
    }
}
