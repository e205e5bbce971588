/* The appliance as a machine of Qt SCXML, which reads appliance.scxml, the file beside this one. */
#include "appliance.h"
#include <QBuffer>
#include <QCoreApplication>
#include <QFile>
#include <QScxmlStateMachine>
#include <memory>
#include <unordered_map>

struct Entry {
    Appliance appliance;
    std::unique_ptr<QScxmlStateMachine> machine;
};

static Entry make_entry(struct mosquitto *client, const std::string &topic) {
    static QByteArray text = [] {
        QFile file(APPLIANCE);
        if (!file.open(QIODevice::ReadOnly)) exit(1);
        return file.readAll();
    }();
    QBuffer buffer(&text);
    buffer.open(QIODevice::ReadOnly);
    Entry entry{ { client, topic, "" }, std::unique_ptr<QScxmlStateMachine>(QScxmlStateMachine::fromData(&buffer)) };
    entry.machine->start();
    QCoreApplication::processEvents();
    return entry;
}

static void on_message(struct mosquitto *client, void *, const struct mosquitto_message *message,
                       const mosquitto_property *) {
    static std::unordered_map<std::string, Entry> entries;
    callbacks++;
    messages_read++;
    auto found = entries.find(message->topic);
    if (found == entries.end()) {
        found = entries.emplace(message->topic, make_entry(client, message->topic)).first;
        const Appliance &appliance = found->second.appliance;
        for (const QString &state : found->second.machine->stateNames()) {
            found->second.machine->connectToState(state, qApp, [&appliance, name = state.toStdString()](bool is_active) {
                if (is_active) appliance.tell(name.c_str());
            });
        }
    }
    const std::string operation = found->second.appliance.read(message);
    if (operation.empty()) return;
    found->second.machine->submitEvent(QString::fromStdString(operation));
    QCoreApplication::processEvents();
}

int main(int count, char **words) {
    QCoreApplication application(count, words);
    return run(count, words);
}
