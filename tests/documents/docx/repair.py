"""What makes Word say a document is damaged, as far as it can be seen without Word.

`faults` counts what is wrong inside one package; `worsened` compares a package with what was made of it, value by
value where the schema wants a number, a date or a name.  An artifact must have no fault its source had not.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from urllib.parse import unquote, urlsplit

from lxml import etree

__all__ = ["faults", "worsened"]

_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT_R = "http://purl.oclc.org/ooxml/officeDocument/relationships"
_MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_MOST = {"tag": 64, "alias": 64, "statusText": 140, "helpText": 256, "listEntry": 255}
_TYPED = (
    ("number", re.compile(r"-?\d+(?:\.\d+)?")),
    ("hexadecimal", re.compile(r"[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8}|[0-9A-Fa-f]{20}")),
    ("moment", re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?")),
    ("GUID", re.compile(r"\{[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}")),
    ("switch", re.compile(r"true|false|on|off")),
)
_NAME = re.compile(r"[^\W\d][\w.-]*(?::[^\W\d][\w.-]*)?")


def faults(data: bytes) -> Counter[str]:
    """What is wrong with a package, by kind."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    found: Counter[str] = Counter()
    names = archive.namelist()
    found["entry twice"] += len(names) - len(set(names))
    found.update(_types(archive))
    for name in names:
        if name.endswith(".rels"):
            found.update(_relationships(archive, name))
        elif name.endswith(".xml"):
            found.update(_part(archive, name))
    return +found


def _root(archive: zipfile.ZipFile, name: str) -> etree._Element | None:
    try:
        return etree.fromstring(archive.read(name), etree.XMLParser(resolve_entities=False, huge_tree=True))
    except etree.XMLSyntaxError:
        return None


def _local(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _value(element: etree._Element, name: str) -> str:
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), "")


def _types(archive: zipfile.ZipFile) -> Iterator[str]:
    root = _root(archive, "[Content_Types].xml")
    if root is None:
        yield "content types do not parse"
        return
    names = {name.lstrip("/").casefold() for name in archive.namelist()}
    defaults = [_value(item, "Extension").casefold() for item in root.iter("{*}Default")]
    overrides = [unquote(_value(item, "PartName")).lstrip("/").casefold() for item in root.iter("{*}Override")]
    yield from ("type for a part that is not there" for name in overrides if name not in names)
    yield from ["type given twice"] * (len(defaults) + len(overrides) - len({*defaults}) - len({*overrides}))
    for name in names - {"[content_types].xml"} - {*overrides}:
        if not name.endswith("/") and posixpath.splitext(name)[1].lstrip(".") not in defaults:
            yield "part without a type"


def _relationships(archive: zipfile.ZipFile, name: str) -> Iterator[str]:
    root = _root(archive, name)
    if root is None:
        yield "relationships do not parse"
        return
    names = {entry.lstrip("/").casefold() for entry in archive.namelist()}
    ids = [_value(item, "Id") for item in root.iter("{*}Relationship")]
    yield from ["relationship id twice"] * (len(ids) - len({*ids}))
    folder = posixpath.dirname(posixpath.dirname(name))
    source = posixpath.join(folder, posixpath.basename(name).removesuffix(".rels"))
    if source.rstrip("/") != folder and source.casefold() not in names:
        yield "relationships of a part that is not there"
    for item in root.iter("{*}Relationship"):
        target = _value(item, "Target")
        if _value(item, "TargetMode").lower() == "external":
            yield from _link(target)
            continue
        path = posixpath.normpath(posixpath.join("/" + folder, unquote(target.partition("#")[0]))).lstrip("/")
        if target.partition("#")[0] and target != "NULL" and path.casefold() not in names:
            yield "relationship to a part that is not there"


def _link(target: str) -> Iterator[str]:
    try:
        split = urlsplit(target)
        valid = bool(target) and not re.search(r"[\s<>\"{}|^`\[\]]", target)
        valid = valid and not (split.scheme in ("http", "https", "ftp") and not split.netloc)
    except ValueError:
        valid = False
    if not valid:
        yield "link that is no address"


def _part(archive: zipfile.ZipFile, name: str) -> Iterator[str]:
    root = _root(archive, name)
    if root is None:
        yield f"{name} does not parse"
        return
    if name.lower().startswith("docprops/"):
        yield from _properties(root)
    if not name.startswith("word/"):
        return
    yield from _ids(root)
    yield from _fields(root)
    yield from _contents(root)
    rels = posixpath.join(posixpath.dirname(name), "_rels", posixpath.basename(name) + ".rels")
    known = {*()}
    if rels in archive.namelist() and (related := _root(archive, rels)) is not None:
        known = {_value(item, "Id") for item in related.iter("{*}Relationship")}
    for element in root.iter():
        for key, value in element.attrib.items():
            if etree.QName(str(key)).namespace in (_R, _STRICT_R) and value and str(value) not in known:
                yield "relationship id nobody gave"


def _properties(root: etree._Element) -> Iterator[str]:
    for element in root.iter():
        text = (element.text or "").strip()
        if _local(element) in ("created", "modified", "lastPrinted", "filetime", "date") and not _TYPED[2][1].fullmatch(
            text
        ):
            yield "property that is no date"
        if _local(element) in ("i4", "revision", "TotalTime", "Pages", "Words", "Characters") and not re.fullmatch(
            r"-?\d+", text
        ):
            yield "property that is no number"
        if _local(element) == "bool" and text not in ("true", "false", "0", "1"):
            yield "property that is no switch"


def _ids(root: etree._Element) -> Iterator[str]:
    for kind, attribute in (
        ("docPr", "id"),
        ("bookmarkStart", "id"),
        ("bookmarkStart", "name"),
        ("comment", "id"),
        ("footnote", "id"),
        ("endnote", "id"),
        ("style", "styleId"),
        ("abstractNum", "abstractNumId"),
        ("num", "numId"),
        ("docVar", "name"),
        ("p", "paraId"),
    ):
        values = [value for element in root.iter(f"{{*}}{kind}") if (value := _value(element, attribute))]
        yield from [f"{kind} {attribute} twice"] * (len(values) - len({value.casefold() for value in values}))
    for listing in (*root.iter("{*}dropDownList"), *root.iter("{*}comboBox")):
        for attribute in ("value", "displayText"):
            values = [value for item in listing if (value := _value(item, attribute))]
            yield from [f"list item {attribute} twice"] * (len(values) - len({*values}))
    starts = {_value(element, "id") for element in root.iter("{*}bookmarkStart")}
    ends = {_value(element, "id") for element in root.iter("{*}bookmarkEnd")}
    yield from ["bookmark without its other end"] * len(starts ^ ends)
    referenced = {
        _value(element, "val") for kind in ("pStyle", "rStyle", "tblStyle") for element in root.iter(f"{{*}}{kind}")
    }
    yield from (["style without an id"] if "" in referenced else [])


def _fields(root: etree._Element) -> Iterator[str]:
    depth = 0
    for element in root.iter("{*}fldChar"):
        kind = _value(element, "fldCharType")
        depth += (kind == "begin") - (kind == "end")
        if depth < 0:
            yield "field that ends before it begins"
            depth = 0
    yield from ["field that does not end"] * depth


def _contents(root: etree._Element) -> Iterator[str]:
    for element in root.iter():
        local = _local(element)
        children = [_local(child) for child in element if isinstance(child.tag, str)]
        if local == "tc" and not {"p", "sdt", "customXml"} & {*children[-1:]}:
            yield "cell that does not end in a paragraph"
        if local == "txbxContent" and not children:
            yield "text box without a paragraph"
        if local in ("comment", "footnote", "endnote") and not children:
            yield f"{local} without a paragraph"
        if (
            local in ("t", "delText", "instrText")
            and (element.text or "") != (element.text or "").strip(" \t\n")
            and not element.get(_SPACE)
        ):
            yield "space Word would drop"
        if local in ("t", "delText") and children:
            yield "markup inside text"
        if local == "AlternateContent" and element.tag.startswith(f"{{{_MC}}}") and "Choice" not in children:
            yield "alternative without a choice"
        if local in _MOST and len(_value(element, "val")) > _MOST[local]:
            yield f"{local} too long"
        if local in ("customXml", "smartTag") and not _NAME.fullmatch(_value(element, "element")):
            yield "element name that is none"
        if local == "dataBinding" and not _is_path(_value(element, "xpath")):
            yield "path that is none"


def _is_path(path: str) -> bool:
    try:
        etree.XPath(re.sub(r"\b\w+:", "", path))
    except etree.XPathSyntaxError:
        return False
    return True


def worsened(before: bytes, after: bytes) -> list[str]:
    """Faults the artifact has and its source had not, and values that lost the type the schema wants."""
    new = faults(after) - faults(before)
    old, made = zipfile.ZipFile(io.BytesIO(before)), zipfile.ZipFile(io.BytesIO(after))
    lost = Counter(
        fault
        for name in sorted({*old.namelist()} & {*made.namelist()})
        if name.endswith((".xml", ".rels"))
        for fault in _retyped(_root(old, name), _root(made, name), name)
    )
    return [f"{count} {kind}" for kind, count in sorted((new + lost).items())]


def _retyped(before: etree._Element | None, after: etree._Element | None, name: str) -> Iterator[str]:
    if before is None or after is None or name == "[Content_Types].xml" or name.endswith("custom.xml"):
        return
    gone = ("rsids", "rsid", "rsidRoot", "Relationship", "softHyphen", "noBreakHyphen", "sym")
    pairs = zip_longest(*([item for item in root.iter() if _local(item) not in gone] for root in (before, after)))
    for old, new in pairs:
        if old is None or new is None or (_local(old) != _local(new) and not name.startswith("customXml/")):
            yield f"other elements in {name}"
            return
        for key, value in old.attrib.items():
            text = str(value)
            kind = next((kind for kind, pattern in _TYPED if pattern.fullmatch(text)), "")
            if "rsid" in str(key) or not kind:
                continue
            if not any(pattern.fullmatch(str(new.get(key, ""))) for label, pattern in _TYPED if label == kind):
                yield f"{_local(old)} {str(key).rpartition('}')[2]} no longer a {kind}"
