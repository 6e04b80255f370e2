"""Decoding by Python's rules."""

import pytest

from dllint.source.encoding import UndecodableError, decode


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        ("x = 'é'\r\n".encode(), "x = 'é'\r\n", "utf-8"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n", "utf-8-sig"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "# -*- coding: latin-1 -*-\nx = 'é'\n", "iso-8859-1"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n'\x80'\n", None, "cp1252"),
    ],
)
def test_decoded_text_encodes_back(data, text, encoding):
    found, used = decode(data)
    assert used == encoding
    assert text is None or found == text
    assert found.encode(used) == data


#: Codecs that Python refuses as the encoding of a source.
NO_TEXT = (b"rot13", b"zlib", b"bz2", b"hex", b"base64", b"uu", b"quopri")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x80abc", "invalid or missing encoding"),
        (b"x = '\xe9'\n", "invalid or missing encoding"),
        (b"\x00\x01\x02", "null bytes"),
        (b"# coding: no-such-thing\n", "unknown encoding"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "encoding problem"),
        (b"a = 1\n# second line\n\xff\n", "utf-8"),
        *((b"# coding: %b\nx = 1\n" % codec, f"'{codec.decode()}' is not a text encoding") for codec in NO_TEXT),
        (b"# coding: undefined\n", "undefined"),
        (b"# coding: punycode\nx = 1\n", "code point"),
    ],
)
def test_what_is_not_text_says_why(data, message):
    with pytest.raises(UndecodableError, match=message):
        decode(data)


@pytest.mark.parametrize("name", ["latin-1", "koi8-r", "shift_jis", "euc_jp", "cp1252", "utf-8"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "#!/usr/bin/python{}"])
def test_a_cookie_counts_whatever_ends_its_line(name, line_break, before):
    words = {"koi8-r": "слово", "shift_jis": "日本", "euc_jp": "日本"}.get(name, "é")
    text = line_break.join((before.format(line_break) + f"# coding: {name}", f"# {words}", "x = 1", ""))
    found, used = decode(text.encode(name))
    assert found == text
    assert found.encode(used) == text.encode(name)


def test_a_cookie_behind_the_second_line_does_not_count():
    with pytest.raises(UndecodableError):
        decode(b"\r\r# coding: latin-1\r# \xe9\r")
