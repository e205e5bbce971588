"""Finds dead links in a built site: files that are not there, and anchors that no element has."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.targets.append(value)


def dead_links(site):
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        if path.name == "404.html":  # served for any address, so its links begin at the root
            continue
        for target in page.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if file.is_dir():
                file /= "index.html"
            anchor = unquote(parts.fragment)
            if not file.exists():
                yield f"{path.relative_to(site)}: {target} is not there"
            elif anchor and not anchor.startswith("__") and file in pages and anchor not in pages[file].anchors:
                yield f"{path.relative_to(site)}: {target} names no heading"


if __name__ == "__main__":
    site = Path(sys.argv[1]).resolve()
    found = list(dead_links(site))
    print("\n".join(found) if found else f"no dead link on {len(list(site.rglob('*.html')))} pages")
    sys.exit(1 if found else 0)
