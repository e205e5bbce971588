"""The first minutes of a new user: a bridge with the address of a broker, and nothing else."""

import shutil

import pytest
from playwright.sync_api import expect

from house import House


class EmptyHouse(House):
    """A bridge that has no definition and is given none."""

    def __init__(self):
        super().__init__(kinds=())
        shutil.rmtree(self.definitions)
        settings = self.folder / "skerry.yaml"
        lines = settings.read_text().splitlines(keepends=True)
        settings.write_text("".join(line for line in lines if not line.startswith("definitions:")).replace(", edit: true", ""))

    def __enter__(self):
        return self


@pytest.fixture
def house():
    with EmptyHouse() as house:
        yield house


def test_the_page_says_what_the_broker_says_until_it_is_there(house, open_page):
    house.bridge, house.told_by_bridge = house.start_program()
    house.told_by_bridge.wait_for("the page is on http://")
    page = open_page()
    broker = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="The broker"))
    expect(broker).to_contain_text(f"There is no connection to 127.0.0.1:{house.mqtt}:")
    expect(broker).to_contain_text("refused")
    expect(broker).to_contain_text(f"{house.folder}/skerry.yaml")
    house.start_broker()
    expect(broker).to_contain_text(f"Connected to 127.0.0.1:{house.mqtt}.")
