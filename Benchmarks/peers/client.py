"""What the peers in Python share: the MQTT client, the options of client.h, and the line with the figures."""

import argparse
import json
import resource
import sys
import time

import paho.mqtt.client as mqtt


class Appliance:
    """An appliance of Home Connect, which publishes its state whenever it changes."""

    def __init__(self, publish):
        self.publish = publish
        self.program = ""
        self.remaining = 0

    def read(self, payload):
        """Takes the fields of a payload, and returns the name of its operation; none is no event."""
        report = json.loads(payload)
        self.program = report.get("ActiveProgram", self.program)
        self.remaining = report.get("RemainingProgramTime", self.remaining)
        return report.get("OperationState")

    def tell(self, state):
        """Publishes the state that was entered."""
        end = int(time.time() + self.remaining)
        self.publish(json.dumps({"state": state, "end": end, "program": self.program}))


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def run(make_machine):
    """Reads messages, and hands the operation of each to the machine of its topic.

    make_machine(appliance) returns what is called with the name of an operation.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--qos", type=int, default=0)
    parser.add_argument("--id", default="benchmark")
    parser.add_argument("--prefix", default="relay")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--topic", action="append", required=True)
    options = parser.parse_args()
    machines = {}
    read = published = 0
    start = 0.0

    def publisher(topic):
        def publish(payload):
            nonlocal published
            published += 1
            client.publish(f"{options.prefix}/{topic}", payload, options.qos)

        return publish

    def on_connect(client, *_):
        client.subscribe([(topic, options.qos) for topic in options.topic])

    def on_subscribe(*_):
        nonlocal start
        print("ready", file=sys.stderr, flush=True)
        start = processor_time()

    def on_message(_, __, message):
        nonlocal read
        read += 1
        if message.topic not in machines:
            appliance = Appliance(publisher(message.topic))
            machines[message.topic] = appliance, make_machine(appliance)
        appliance, machine = machines[message.topic]
        operation = appliance.read(message.payload)
        if operation:
            machine(operation)
        if read == options.count:
            client.disconnect()

    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, options.id, protocol=mqtt.MQTTv5)
    client.on_connect, client.on_subscribe, client.on_message = on_connect, on_subscribe, on_message
    client.connect(options.host, options.port)
    client.loop_forever()
    used = (processor_time() - start) * 1e6
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"messages={read} published={published} cpu_us_per_message={used / max(1, read):.2f} resident_kb={size}")
