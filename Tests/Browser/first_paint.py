"""Measures how soon the page shows something, from loopback, in a browser that has nothing of it yet."""

from playwright.sync_api import sync_playwright

from house import House

ROUNDS = 11
PAINT = """async () => {
    const painted = () => performance.getEntriesByName("first-contentful-paint")[0];
    while (!painted()) await new Promise(requestAnimationFrame);
    return painted().startTime;
}"""
CARD = "() => new Promise((done) => { const look = () => (document.querySelector('article') ? done(performance.now()) : requestAnimationFrame(look)); look(); })"


def main():
    with House() as house, sync_playwright() as playwright:
        house.wash()
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        paints, cards = [], []
        for _ in range(ROUNDS):
            context = browser.new_context()
            page = context.new_page()
            page.goto(house.url, wait_until="commit")
            cards.append(page.evaluate(CARD))
            paints.append(page.evaluate(PAINT))
            context.close()
        browser.close()
    for name, times in (("first paint", paints), ("first card", cards)):
        times.sort()
        print(f"{name}: {times[ROUNDS // 2]:.0f} ms, the median of {ROUNDS}; at most {times[-1]:.0f} ms")


if __name__ == "__main__":
    main()
