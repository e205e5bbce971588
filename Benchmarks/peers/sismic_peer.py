"""The appliance as a statechart of sismic, an interpreter of statecharts in YAML, in Python."""

from sismic.interpreter import Interpreter
from sismic.io import import_from_yaml

import client

CHART = import_from_yaml(
    """
    statechart:
      name: appliance
      root state:
        name: root
        initial: idle
        states:
          - name: idle
            on entry: tell('idle')
            transitions:
              - {event: Run, target: running}
          - name: running
            on entry: tell('running')
            transitions:
              - {event: Pause, target: paused}
              - {event: Finished, target: finished}
          - name: paused
            on entry: tell('paused')
            transitions:
              - {event: Run, target: running}
              - {event: Finished, target: finished}
          - name: finished
            on entry: tell('finished')
            transitions:
              - {event: Run, target: running}
              - {event: Ready, target: idle}
    """
)


def make_machine(appliance):
    is_started = False
    interpreter = Interpreter(CHART, initial_context={"tell": lambda state: is_started and appliance.tell(state)})
    interpreter.execute()
    is_started = True

    def take(operation):
        interpreter.queue(operation)
        interpreter.execute()

    return take


client.run(make_machine)
