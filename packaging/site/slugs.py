"""The anchors of headings as GitHub makes them, which the links between the pages name."""


def github(text, separator):
    kept = (c for c in text.strip().lower() if c.isalnum() or c in "-_ ")
    return "".join(kept).replace(" ", separator)
