"""Who is there: signing in by a code, what each role sees, sessions that last and sessions that are ended."""

import re
import subprocess
import time

import pytest
from playwright.sync_api import expect

from house import PATIENCE, PROGRAM
from test_rules import check_accessibility

# Nobody on this machine is a stranger: these come through a proxy.
FAR = {"extra_http_headers": {"X-Forwarded-For": "192.0.2.7"}}
NASTY = "<img src=x onerror=alert(1)><b>'\"&"


@pytest.fixture
def far(house, open_page):
    """Opens the page elsewhere, in a browser that was let in with a role and a name."""

    def far(address="/", **wish):
        page = open_page(address, **FAR)
        enter(page, house.code(**wish))
        expect(page.get_by_role("heading", name="Who is there?")).to_have_count(0)
        return page

    return far


def enter(place, code):
    place.get_by_label("Code").fill(code)
    place.get_by_role("button", name="Sign in", exact=True).last.click()


def sign_in(house, page, **wish):
    """Signs in by the button at the top of the page."""
    page.get_by_role("banner").get_by_role("button", name="Sign in").click()
    dialog = page.get_by_role("dialog", name="Sign in")
    enter(dialog, house.code(**wish))
    expect(dialog).to_have_count(0)


def test_the_door_has_no_bar_without_tabs(open_page):
    page = open_page(viewport={"width": 390, "height": 844}, **FAR)
    expect(page.get_by_role("heading", name="Who is there?")).to_be_visible()
    expect(page.get_by_role("navigation")).to_have_count(0)


def test_the_tools_of_the_door_stand_at_the_right(house, open_page):
    page = open_page(viewport={"width": 820, "height": 900}, **FAR)
    expect(page.get_by_role("heading", name="Who is there?")).to_be_visible()
    tools = page.get_by_role("button", name="Appearance and language").bounding_box()
    assert tools["x"] + tools["width"] > 820 - 40


def test_the_keyboard_goes_on_after_signing_in(house, open_page):
    page = open_page("/")
    sign_in(house, page, role="viewer", name="Hall")
    expect(page.get_by_role("button", name="Hall: your session")).to_be_focused()
    door = open_page("/", **FAR)
    expect(door.get_by_label("Code")).to_be_focused()
    enter(door, house.code(role="viewer"))
    expect(door.get_by_role("main")).to_be_focused()


def test_the_replay_offers_to_sign_in_where_only_that_is_missing(house, open_page):
    house.wash()
    page = open_page("/#/replay/washer/laundry")
    page.locator(".part-edit summary").click()
    tools = page.locator(".edit-tools")
    expect(tools).to_contain_text("An administrator can save it.")
    tools.get_by_role("button", name="Sign in").click()
    enter(page.get_by_role("dialog", name="Sign in"), house.code(role="admin"))
    expect(tools.get_by_role("button", name="Save")).to_be_visible()
    expect(tools).not_to_contain_text("An administrator can save it.")


def test_signing_in_takes_effect_at_once_in_all_open_parts(house, open_page):
    house.wash()
    page = open_page("/#/settings")
    pages = [page, page.context.new_page(), page.context.new_page()]
    pages[1].goto(f"{house.url}/")
    pages[2].goto(f"{house.url}/#/device/washer/laundry")
    expect(pages[1].get_by_role("article")).to_have_count(1)
    expect(pages[2].get_by_role("heading", level=1)).to_be_visible()
    expect(pages[2].get_by_role("heading", name="Name and settings")).to_have_count(0)
    expect(page.get_by_text("Only an administrator can do this.")).to_have_count(2)
    for one in pages:
        one.evaluate("window.isTheSame = true")
    page.get_by_role("banner").get_by_role("button", name="Sign in").click()
    dialog = page.get_by_role("dialog", name="Sign in")
    expect(dialog.get_by_label("Code")).to_be_focused()
    check_accessibility(page)
    code = house.code(role="admin", name="Ada's laptop")
    enter(dialog, f"{code[:4].lower()}-{code[4:]}")
    for one in pages:
        expect(one.get_by_role("banner").get_by_role("button", name="Ada's laptop")).to_be_visible()
    expect(page.get_by_role("heading", name="Let a browser in")).to_be_visible()
    expect(page.get_by_role("button", name="Show the code")).to_have_count(2)
    expect(pages[2].locator(".settings-form")).to_be_visible()
    check_accessibility(page)
    # Signing out is known everywhere, too.
    pages[1].get_by_role("banner").get_by_role("button", name="Ada's laptop").click()
    check_accessibility(pages[1])
    pages[1].get_by_role("button", name="Sign out").click()
    for one in pages:
        expect(one.get_by_role("banner").get_by_role("button", name="Sign in")).to_be_visible()
        assert one.evaluate("window.isTheSame")
    expect(page.get_by_text("Only an administrator can do this.")).to_have_count(2)
    expect(pages[2].locator(".settings-form")).to_have_count(0)
    assert house.get("/v1/browsers")["browsers"] == []


def test_a_session_that_does_not_end_says_why(house, open_page, console):
    console.expect("503")
    page = open_page("/")
    sign_in(house, page, role="member", name="Tablet")
    answer = {"status": 503, "code": "not-stored", "detail": "the disk is full"}
    page.route("**/v1/session", lambda route: route.fulfill(status=503, json=answer), times=1)
    page.get_by_role("banner").get_by_role("button", name="Tablet").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("alert")).to_contain_text("the disk is full")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("banner").get_by_role("button", name="Sign in")).to_be_visible()


def test_what_was_written_stays_when_somebody_signs_in(house, open_page):
    house.wash()
    page = open_page("/#/replay/washer/laundry")
    page.locator(".part-edit summary").click()
    text = page.get_by_role("textbox", name="Definition")
    text.press("Control+Home")
    text.press_sequentially("# mine\n")
    expect(page.get_by_role("button", name="Save")).to_be_hidden()
    sign_in(house, page, role="admin")
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    assert text.input_value().startswith("# mine\n")


def test_a_wall_keeps_its_session_over_a_restart(house, far, console):
    # A bridge that is stopped, or that is just starting, answers so or not at all.
    for part in ("net::ERR", "503"):
        console.expect(part)
    house.wash()
    page = far("/?wall", role="viewer", name="Kitchen wall")
    card = page.get_by_role("article")
    expect(card).to_contain_text("Laundry")
    [cookie] = [one for one in page.context.cookies() if one["name"] == "skerry-session"]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict"
    assert cookie["expires"] - time.time() > 365 * 86_400
    assert page.evaluate("document.cookie") == ""
    house.stop_bridge()
    house.start_bridge()
    house.wait_for_subscriptions()
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    expect(card).to_contain_text("Paused")
    page.reload()
    expect(card).to_contain_text("Paused")


def test_an_ended_session_is_out_at_once(house, open_page, far, console):
    console.expect("401")
    house.wash()
    wall = far(role="viewer", name="Kitchen wall")
    expect(wall.get_by_role("article")).to_contain_text("Laundry")
    page = open_page("/#/settings")
    sign_in(house, page, role="admin", name="Ada's laptop")
    browsers = page.locator(".browsers").get_by_role("listitem")
    expect(browsers).to_have_count(2)
    expect(browsers.filter(has_text="Ada's laptop")).to_contain_text("this browser")
    expect(browsers.filter(has_text="Kitchen wall")).to_contain_text("Viewer")
    check_accessibility(page)
    page.get_by_role("button", name="End the session of Kitchen wall").click()
    page.get_by_role("button", name="Really remove Kitchen wall?").click()
    expect(wall.get_by_role("heading", name="Who is there?")).to_be_visible()
    expect(wall.get_by_role("article")).to_have_count(0)
    expect(browsers).to_have_count(1)
    # On the gateway itself, everybody may look: what is left of an administrator is that.
    page.get_by_role("button", name="End the session of Ada's laptop").click()
    page.get_by_role("button", name="Really remove Ada's laptop?").click()
    expect(page.get_by_role("banner").get_by_role("button", name="Sign in")).to_be_visible()


def test_each_role_sees_what_it_may_do(house, far, console):
    house.wash()
    viewer = far(role="viewer", name="Wall")
    expect(viewer.get_by_role("article")).to_have_count(1)
    expect(viewer.get_by_role("navigation").get_by_role("link")).to_have_text(["Now", "Phone", "History", "Settings"])
    expect(viewer.get_by_text("Add a device")).to_be_hidden()
    viewer.goto(f"{house.url}/#/replay")
    expect(viewer.locator("body")).to_have_attribute("data-view", "now")
    viewer.goto(f"{house.url}/#/device/washer/laundry")
    expect(viewer.get_by_role("heading", level=1)).to_be_visible()
    expect(viewer.locator(".device-buttons button")).to_have_count(0)
    viewer.goto(f"{house.url}/#/settings")
    expect(viewer.get_by_role("heading", name="How the bridge is doing")).to_be_visible()
    for words in ["Phones", "Browsers", "A link for a guest", "What did not arrive"]:
        expect(viewer.get_by_role("heading", name=words, exact=True)).to_have_count(0)
    check_accessibility(viewer)

    member = far("/#/device/washer/laundry", role="member", name="Ben")
    form = member.locator(".settings-form")
    form.get_by_role("textbox").fill("Big washer")
    form.get_by_role("button", name="Save").click()
    expect(member.get_by_role("heading", level=1, name="Big washer")).to_be_visible()
    expect(form.get_by_role("textbox")).to_have_count(1)
    member.goto(f"{house.url}/#/settings")
    expect(member.get_by_role("heading", name="A link for a guest")).to_be_visible()
    expect(member.get_by_role("heading", name="Browsers", exact=True)).to_have_count(0)


def test_a_browser_is_let_in_from_one_that_is_signed_in(house, open_page):
    page = open_page("/#/settings")
    sign_in(house, page, role="admin", name="Ada's laptop")
    form = page.locator("form").filter(has_text="Let a browser in")
    form.get_by_role("radio", name="Viewer").check()
    form.get_by_label("Name of the browser").fill("Kitchen wall")
    form.get_by_role("button", name="Show the code").click()
    expect(page.get_by_role("img", name="The code as a QR code")).to_be_visible()
    check_accessibility(page)
    code = page.locator(".code").text_content().replace("-", "")
    # The address of the QR code, opened elsewhere.
    other = open_page(f"/#/sign-in/{code}", **FAR)
    expect(other.get_by_label("Code")).to_have_value(code)
    assert code not in other.url
    check_accessibility(other)
    other.get_by_role("button", name="Sign in").press("Enter")
    expect(other.get_by_role("banner").get_by_role("button", name="Kitchen wall")).to_be_visible()
    expect(page.get_by_text("Kitchen wall has been let in.")).to_be_visible()
    expect(page.locator(".browsers").get_by_role("listitem")).to_have_count(2)


def test_the_terminal_of_the_gateway_shows_a_code(house, open_page):
    process, output = house.start([PROGRAM, "pair", "--browser", "--name", "Ada's laptop", "--config", house.folder / "skerry.yaml"])
    output.wait_for("  link  ")
    text = "".join(output.lines)
    code = re.search(r"  code  (\w{4}-\w{4})\n", text)[1]
    link = re.search(r"  link  (\S+)\n", text)[1]
    assert link == f"{house.url}/#/sign-in/{code.replace('-', '')}"
    page = open_page("/", **FAR)
    enter(page, code)
    expect(page.get_by_role("banner").get_by_role("button", name="Ada's laptop")).to_be_visible()
    output.wait_for("Let in: Ada's laptop.")
    assert process.wait(PATIENCE) == 0
    [browser] = house.get("/v1/browsers")["browsers"]
    assert (browser["role"], browser["name"]) == ("admin", "Ada's laptop")
    wrong = subprocess.run([PROGRAM, "pair", "--role", "viewer"], capture_output=True, text=True, timeout=PATIENCE)
    assert wrong.returncode == 64 and "give --browser, too" in wrong.stderr


def test_the_link_in_an_open_page_asks_to_sign_in(house, open_page):
    page = open_page("/#/history")
    code = house.code(role="admin", name="Here")
    page.evaluate("hash => { location.hash = hash; }", f"#/sign-in/{code}")
    dialog = page.get_by_role("dialog", name="Sign in")
    expect(dialog.get_by_label("Code")).to_have_value(code)
    dialog.press("Escape")
    expect(dialog).to_have_count(0)
    assert house.get("/v1/browsers")["browsers"] == []


def test_wrong_codes_are_told_and_then_have_to_wait(house, open_page, console):
    console.expect("403")
    console.expect("429")
    page = open_page("/", **FAR)
    for _ in range(10):
        with page.expect_response("**/v1/session"):
            enter(page, "AAAA-AAAA")
        expect(page.get_by_role("alert")).to_contain_text("does not know this code")
    enter(page, "AAAA-AAAA")
    expect(page.get_by_role("alert")).to_contain_text("Too many attempts")
    check_accessibility(page)
    enter(page, house.code(role="viewer"))
    expect(page.get_by_role("heading", name="Who is there?")).to_have_count(0)


def test_a_name_is_text_wherever_it_stands(house, open_page, far, console):
    page = open_page("/#/settings")
    page.on("dialog", lambda dialog: console.lines.append("a script ran"))
    sign_in(house, page, role="admin", name=NASTY)
    other = far(role="viewer", name=f"{NASTY}2")
    other.on("dialog", lambda dialog: console.lines.append("a script ran"))
    expect(page.get_by_role("banner").get_by_role("button", name=NASTY)).to_be_visible()
    expect(other.get_by_role("banner").get_by_role("button", name=f"{NASTY}2")).to_be_visible()
    page.reload()
    expect(page.locator(".browsers h3")).to_have_text([NASTY, f"{NASTY}2"])
    form = page.locator("form").filter(has_text="Let a browser in")
    form.get_by_label("Name of the browser").fill(f"{NASTY}3")
    form.get_by_role("button", name="Show the code").click()
    code = page.locator(".code").text_content()
    third = open_page("/", **FAR)
    enter(third, code)
    expect(page.get_by_text(f"{NASTY}3 has been let in.")).to_be_visible()
    page.get_by_role("button", name=f"End the session of {NASTY}2").click()
    expect(page.get_by_role("button", name=f"Really remove {NASTY}2?")).to_be_visible()
    for one in (page, other, third):
        expect(one.locator("img[src='x']")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_a_long_name_fits_a_phone(house, far):
    page = far("/#/settings", role="admin", name="W" * 60)
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator(".browsers").get_by_role("listitem")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("banner").get_by_role("button", name="W" * 60).click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    check_accessibility(page)


def test_the_admin_token_still_signs_in(house, open_page, console):
    console.expect("403")
    page = open_page("/", **FAR)
    page.get_by_text("I have a token").click()
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("does not know this token")
    page.get_by_label("Token").fill((house.folder / "admin").read_text().strip())
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("banner").get_by_role("button", name="Chrome, Linux")).to_be_visible()


def test_the_page_that_pairs_phones_asks_an_administrator_for_no_token(house, far):
    page = far(role="admin")
    page.goto(f"{house.url}/pair")
    expect(page.get_by_label("Admin token")).to_have_count(0)
    page.get_by_role("button", name="Show a code").click()
    expect(page.locator(".code")).to_be_visible()
    viewer = far(role="viewer")
    viewer.goto(f"{house.url}/pair")
    expect(viewer.get_by_label("Admin token")).to_be_visible()
