"""The appliance as a machine of transitions, the library for Python that people use most."""

from transitions import Machine

import client

TABLE = [
    ["Run", ["idle", "paused", "finished"], "running"],
    ["Pause", "running", "paused"],
    ["Finished", ["running", "paused"], "finished"],
    ["Ready", "finished", "idle"],
]


class Model:
    """What the machine moves."""

    def __init__(self, appliance):
        self.appliance = appliance

    def tell(self):
        self.appliance.tell(self.state)


def make_machine(appliance):
    model = Model(appliance)
    states = ["idle", "running", "paused", "finished"]
    Machine(
        model,
        states,
        initial="idle",
        transitions=TABLE,
        after_state_change="tell",
        ignore_invalid_triggers=True,
        auto_transitions=False,
    )
    events = {name for name, *_ in TABLE}
    return lambda operation: model.trigger(operation) if operation in events else None


client.run(make_machine)
