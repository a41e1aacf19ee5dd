"""What control words mean, as far as text goes (RTF 1.9.1)."""

from __future__ import annotations

from typing import Final

__all__ = [
    "BINARY",
    "CHARACTERS",
    "CHARSETS",
    "CODE_PAGES",
    "METADATA",
    "SHOWN",
    "STRUCTURE",
    "SYMBOLS",
    "UNSHOWN",
    "codec_of_page",
]

STRUCTURE: Final = {
    b"par": "\n", b"line": "\n", b"sect": "\f", b"page": "\f", b"column": "\n", b"softline": "\n", b"softpage": "\n",
    b"row": "\n", b"nestrow": "\n", b"cell": "\t", b"nestcell": "\t", b"tab": "\t", b"lbr": "\n",
}  # fmt: skip
"""Words that part text and always stay."""

CHARACTERS: Final = {
    b"emdash": "—", b"endash": "–", b"emspace": "\u2003", b"enspace": "\u2002", b"qmspace": "\u2005", b"bullet": "•",
    b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"zwj": "\u200d", b"zwnj": "\u200c",
    b"zwbo": "\u200b", b"zwnbo": "\u2060", b"ltrmark": "\u200e", b"rtlmark": "\u200f",
}  # fmt: skip
"""Words that are a character."""

SYMBOLS: Final = {b"~": "\u00a0", b"_": "\u2011", b"-": "\u00ad", b"\\": "\\", b"{": "{", b"}": "}"}
"""Symbols that are a character.  A backslash before a line end is a paragraph's end."""

SHOWN: Final = {
    b"header": "header", b"headerl": "header", b"headerr": "header", b"headerf": "header", b"footer": "footer",
    b"footerl": "footer", b"footerr": "footer", b"footerf": "footer", b"footnote": "footnote",
    b"annotation": "comment", b"atnauthor": "comment", b"atnid": "comment", b"shptxt": "text-box",
    b"dptxbxtext": "text-box",
}  # fmt: skip
"""Destinations that a person reads apart from the body, by the name of their section."""

UNSHOWN: Final = frozenset(
    b"fonttbl colortbl stylesheet info title subject author manager company operator category keywords comment doccomm "
    b"hlinkbase creatim revtim printim buptim fldinst bkmkstart bkmkend xe tc rxe txe private private1 listname "
    b"listtable listoverridetable filetbl file revtbl rsidtbl generator template pict objdata objclass objname "
    b"objalias objsect objtime themedata colorschememapping datastore latentstyles datafield ffname ffdeftext "
    b"ffentrymcr ffexitmcr ffformat ffhelptext ffl ffstattext formfield docvar userprops propname staticval linkval "
    b"sn sv sp picprop passwordhash xmlnstbl xmlns xmlname xmlattrname xmlattrvalue xmlopen xmlclose wgrffmtfilter "
    b"ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn atndate atnref atnparent atntime atnicn atrfstart atrfend "
    b"shprslt background mailmerge nextfile panose falt fontemb fontfile blipuid blipname macpict pgptbl pgdsctbl "
    b"pgdsc protusertbl writereservation wreservhash nonesttables nesttableprops htmltag mhtmltag oldcprops oldpprops "
    b"oldsprops oldtprops factoidname gridtbl do svb fname leveltext levelnumbers liststylename password "
    b"pntxtv".split()
)
"""Destinations nobody reads in the text; their text is swept all the same."""

BINARY: Final = frozenset((b"pict", b"objdata", b"themedata", b"colorschememapping", b"datastore", b"fontemb", b"svb"))
"""Destinations whose text is bytes, two digits each, or raw after `\\bin`."""

METADATA: Final = frozenset(
    (b"info", b"generator", b"userprops", b"revtbl", b"rsidtbl", b"datastore", b"template", b"xmlnstbl", b"hlinkbase")
)
"""Destinations that tell of who made the file and on what."""

CODE_PAGES: Final = {
    437: "cp437", 708: "iso8859-6", 709: "cp1256", 710: "cp1256", 711: "cp1256", 720: "cp1256", 819: "latin-1",
    850: "cp850", 852: "cp852", 860: "cp860", 862: "cp862", 863: "cp863", 864: "cp864", 865: "cp865", 866: "cp866",
    874: "cp874", 932: "cp932", 936: "gbk", 949: "cp949", 950: "cp950", 1250: "cp1250", 1251: "cp1251",
    1252: "cp1252", 1253: "cp1253", 1254: "cp1254", 1255: "cp1255", 1256: "cp1256", 1257: "cp1257", 1258: "cp1258",
    1361: "johab", 10000: "mac_roman", 10001: "shift_jis", 10004: "cp1256", 10006: "mac_greek", 10007: "mac_cyrillic",
    10029: "mac_latin2", 10081: "mac_turkish", 54936: "gb18030", 65001: "utf-8",
}  # fmt: skip

CHARSETS: Final = {
    77: "mac_roman", 78: "shift_jis", 79: "johab", 80: "gbk", 81: "big5", 83: "mac_greek", 85: "mac_turkish",
    88: "mac_latin2", 89: "mac_cyrillic", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 179: "cp1256", 180: "cp1256",
    181: "cp1255", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
"""Codecs by a font's `\\fcharset`; any other follows the document's code page."""


def codec_of_page(number: int | None) -> str:
    """The codec of a Windows code page; cp1252 for one that nobody knows."""
    return CODE_PAGES.get(number or 1252, "cp1252")
