"""Reading pages back."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "br", "hr"}


class Reader(HTMLParser):
    """Checks that tags are closed in order, and keeps texts and addresses."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.ids, self.links = [], [], set(), set()
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids.add(given.get("id"))
        if given.get("href"):
            self.links.add(given["href"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)
