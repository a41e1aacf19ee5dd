"""Presentations an adversary makes by hand: one sound slide deck with something hidden in it.

Parts are named as PowerPoint names them, so that their content types follow from their names.
"""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from tests.documents.ooxml.build import RELS, TYPES, R, zipped

__all__ = ["SPACES", "both", "deck", "paragraph", "picture", "rels", "shape", "split", "spread"]

V = "Zebulon Quarkman"
"""What must go."""
K = "Petronella Vandersloot"
"""Its twin, which stays."""

P: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
A: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
MS: Final = "http://schemas.microsoft.com/office"
SPACES: Final = (
    f'xmlns:a="{A}" xmlns:r="{R}" xmlns:p="{P}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    f'xmlns:p14="{MS}/powerpoint/2010/main" xmlns:p15="{MS}/powerpoint/2012/main" xmlns:p188="{MS}/powerpoint/2018/8/main" '
    f'xmlns:p173="{MS}/powerpoint/2017/3/main" xmlns:p202="{MS}/powerpoint/2020/02/main" xmlns:p223="{MS}/powerpoint/2022/03/main" '
    f'xmlns:a14="{MS}/drawing/2010/main" xmlns:a16="{MS}/drawing/2014/main" xmlns:adec="{MS}/drawing/2017/decorative" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    f'xmlns:dsp="{MS}/drawing/2008/diagram" xmlns:cx="{MS}/drawing/2014/chartex" '
    f'xmlns:pslz="{MS}/powerpoint/2016/slidezoom" xmlns:p166="{MS}/powerpoint/2016/6/main" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
)
PRESENTATIONML: Final = "application/vnd.openxmlformats-officedocument.presentationml"
OFFICE: Final = "application/vnd.openxmlformats-officedocument"
TYPED: Final = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"ppt/presentation\.xml", f"{PRESENTATIONML}.presentation.main+xml"),
        (r"ppt/slides/.*", f"{PRESENTATIONML}.slide+xml"),
        (r"ppt/slideLayouts/.*", f"{PRESENTATIONML}.slideLayout+xml"),
        (r"ppt/slideMasters/.*", f"{PRESENTATIONML}.slideMaster+xml"),
        (r"ppt/notesSlides/.*", f"{PRESENTATIONML}.notesSlide+xml"),
        (r"ppt/notesMasters/.*", f"{PRESENTATIONML}.notesMaster+xml"),
        (r"ppt/handoutMasters/.*", f"{PRESENTATIONML}.handoutMaster+xml"),
        (r"ppt/comments/modern.*", "application/vnd.ms-powerpoint.comments+xml"),
        (r"ppt/comments/.*", f"{PRESENTATIONML}.comments+xml"),
        (r"ppt/commentAuthors\.xml", f"{PRESENTATIONML}.commentAuthors+xml"),
        (r"ppt/authors\.xml", "application/vnd.ms-powerpoint.authors+xml"),
        (r"ppt/tags/.*", f"{PRESENTATIONML}.tags+xml"),
        (r"ppt/presProps\.xml", f"{PRESENTATIONML}.presProps+xml"),
        (r"ppt/viewProps\.xml", f"{PRESENTATIONML}.viewProps+xml"),
        (r"ppt/tableStyles\.xml", f"{PRESENTATIONML}.tableStyles+xml"),
        (r"ppt/theme/.*", f"{OFFICE}.theme+xml"),
        (r"ppt/charts/chartEx.*", "application/vnd.ms-office.chartex+xml"),
        (r"ppt/charts/.*", f"{OFFICE}.drawingml.chart+xml"),
        (r"ppt/drawings/.*\.xml", f"{OFFICE}.drawingml.chartshapes+xml"),
        (r"ppt/diagrams/data.*", f"{OFFICE}.drawingml.diagramData+xml"),
        (r"ppt/diagrams/drawing.*", "application/vnd.ms-office.drawingml.diagramDrawing+xml"),
        (r"ppt/diagrams/layout.*", f"{OFFICE}.drawingml.diagramLayout+xml"),
        (r"ppt/diagrams/quick.*", f"{OFFICE}.drawingml.diagramStyle+xml"),
        (r"ppt/diagrams/colors.*", f"{OFFICE}.drawingml.diagramColors+xml"),
        (r"ppt/ink/.*", "application/inkml+xml"),
        (r"ppt/activeX/.*\.xml", "application/vnd.ms-office.activeX+xml"),
        (r"ppt/changesInfos/.*", "application/vnd.ms-powerpoint.changesinfo+xml"),
        (r"ppt/revisionInfo\.xml", "application/vnd.ms-powerpoint.revisioninfo+xml"),
        (r"ppt/webextensions/taskpanes.*", "application/vnd.ms-office.webextensiontaskpanes+xml"),
        (r"ppt/webextensions/.*", "application/vnd.ms-office.webextension+xml"),
        (r"docProps/core\.xml", "application/vnd.openxmlformats-package.core-properties+xml"),
        (r"docProps/app\.xml", f"{OFFICE}.extended-properties+xml"),
        (r"docProps/custom\.xml", f"{OFFICE}.custom-properties+xml"),
        (r"docMetadata/.*", "application/vnd.ms-office.classificationlabels+xml"),
    )
)
EXTENSIONS: Final = {
    "rels": "application/vnd.openxmlformats-package.relationships+xml",
    "xml": "application/xml",
    "vml": f"{OFFICE}.vmlDrawing",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "svg": "image/svg+xml",
    "emf": "image/x-emf",
    "wmf": "image/x-wmf",
    "emz": "image/x-emz",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "wav": "audio/x-wav",
    "vtt": "text/vtt",
    "bin": f"{OFFICE}.oleObject",
    "xlsx": f"{OFFICE}.spreadsheetml.sheet",
    "docx": f"{OFFICE}.wordprocessingml.document",
    "pptx": f"{OFFICE}.presentationml.presentation",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "fntdata": "application/x-fontdata",
    "txt": "text/plain",
    "json": "application/json",
    "glb": "model/gltf.binary",
}
TREE: Final = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/>'
    '<a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)
COLOURS: Final = (
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" '
    'accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
)

Link = tuple[str, str, str, str]
"""Id, the type's last step or the whole type, target, mode."""


def both(template: str) -> str:
    """`template` once with the value for `@@` and once with its twin, `##` numbered."""
    return template.replace("@@", V).replace("##", "91") + template.replace("@@", K).replace("##", "92")


def paragraph(*runs: str) -> str:
    """Runs of text, or of markup where it begins with `<`."""
    inner = "".join(run if run.startswith("<") else f'<a:r><a:rPr lang="en-US"/><a:t>{run}</a:t></a:r>' for run in runs)
    return f"<a:p>{inner}</a:p>"


def split(name: str) -> str:
    """A paragraph whose words are cut up by runs."""
    first, last = name.split(" ")
    return paragraph(first[:3], f'<a:r><a:rPr b="1"/><a:t>{first[3:]} </a:t></a:r>', last)


def spread() -> str:
    return split(V) + split(K)


def shape(text: str, *, number: int = 9, name: str = "Text", more: str = "", placeholder: str = "") -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}">{more}</p:cNvPr><p:cNvSpPr/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="500000" y="2500000"/>'
        '<a:ext cx="8000000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
        f"<p:txBody><a:bodyPr/><a:lstStyle/>{text}</p:txBody></p:sp>"
    )


def picture(attributes: str, blip: str = '<a:blip r:embed="rIdPicture"/>', more: str = "", media: str = "") -> str:
    return (
        f'<p:pic><p:nvPicPr><p:cNvPr id="7" name="Picture" {attributes}>{more}</p:cNvPr><p:cNvPicPr/><p:nvPr>{media}</p:nvPr></p:nvPicPr><p:blipFill>{blip}<a:stretch><a:fillRect/></a:stretch>'
        '</p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="500000" cy="500000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
    )


def frame(data: str, uri: str, *, number: int = 8) -> str:
    """A graphic frame around a table, a chart, a diagram or an object."""
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{number}" name="Frame"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="500000" y="3500000"/>'
        f'<a:ext cx="6000000" cy="900000"/></p:xfrm><a:graphic><a:graphicData uri="{uri}">{data}</a:graphicData></a:graphic></p:graphicFrame>'
    )


def rels(*items: Link) -> bytes:
    rows = "".join(
        f'<Relationship Id="{id_}" Type="{kind if ":" in kind else f"{R}/{kind}"}" Target="{target}"'
        + (f' TargetMode="{mode}"' if mode else "")
        + "/>"
        for id_, kind, target, mode in items
    )
    return f'<Relationships xmlns="{RELS}">{rows}</Relationships>'.encode()


def common(shapes: str, *, name: str = "") -> str:
    """A slide's common data."""
    named = f' name="{name}"' if name else ""
    return f"<p:cSld{named}><p:spTree>{TREE}{shapes}</p:spTree></p:cSld>"


def of_kind(root: str, body: str) -> bytes:
    """A part of PowerPoint's own vocabularies."""
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<{root} {SPACES}>{body}</{root.split(" ", maxsplit=1)[0]}>'.encode()


def theme() -> bytes:
    scheme = "".join(f'<a:{slot}><a:srgbClr val="{n:06X}"/></a:{slot}>' for n, slot in enumerate(
        ("dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "hlink", "folHlink"), 0x102030,
    ))  # fmt: skip
    font = '<a:latin typeface="Carlito"/><a:ea typeface=""/><a:cs typeface=""/>'
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    line = f'<a:ln w="6350">{fill}</a:ln>'
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    return of_kind('a:theme name="Plain"', (
        f'<a:themeElements><a:clrScheme name="Plain">{scheme}</a:clrScheme><a:fontScheme name="Plain"><a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont></a:fontScheme>'
        f'<a:fmtScheme name="Plain"><a:fillStyleLst>{fill * 3}</a:fillStyleLst><a:lnStyleLst>{line * 3}</a:lnStyleLst><a:effectStyleLst>{effect * 3}</a:effectStyleLst>'
        f"<a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme></a:themeElements>"
    ))  # fmt: skip


def _types(names: Iterable[str]) -> bytes:
    defaults = "".join(
        f'<Default Extension="{extension}" ContentType="{kind}"/>' for extension, kind in EXTENSIONS.items()
    )
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="{kind}"/>'
        for name in names
        for kind in [
            next((kind for pattern, kind in TYPED if pattern.fullmatch(name) and not name.endswith(".rels")), "")
        ]
        if kind
    )
    return f'<Types xmlns="{TYPES}">{defaults}{overrides}</Types>'.encode()


def parts_of(
    shapes: str = "",
    more: Mapping[str, bytes | str] | None = None,
    *,
    links: Iterable[Link] = (),
    top: Iterable[Link] = (),
    outside: Iterable[Link] = (),
    after: str = "",
    inside: str = "",
    slide_name: str = "",
    master: str = "",
    layout: str = "",
) -> dict[str, bytes]:
    """The parts of a presentation of two slides; the first has the title of the twin.

    Args:
        shapes: markup in the first slide's tree.
        more: further parts by name, or other content for those there are.
        links: the first slide's further relationships.
        top: the presentation's.
        outside: the package's.
        after: markup after the first slide's common data.
        inside: markup in the presentation, after its slides and sizes.
        slide_name: the first slide's name.
        master: shapes of the master.
        layout: shapes of the layout.
    """
    title = shape(paragraph(K), number=2, name="Title", placeholder='<p:ph type="title"/>')
    mapped = "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>"
    parts: dict[str, bytes] = {
        "_rels/.rels": rels(("rId1", "officeDocument", "ppt/presentation.xml", ""), *outside),
        "ppt/presentation.xml": of_kind("p:presentation", (
            '<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId3"/></p:sldIdLst>'
            f'<p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/>{inside}'
        )),
        "ppt/_rels/presentation.xml.rels": rels(
            ("rId1", "slideMaster", "slideMasters/slideMaster1.xml", ""), ("rId2", "slide", "slides/slide1.xml", ""),
            ("rId3", "slide", "slides/slide2.xml", ""), ("rId4", "theme", "theme/theme1.xml", ""), *top,
        ),
        "ppt/slides/slide1.xml": of_kind("p:sld", common(title + shapes, name=slide_name) + mapped + after),
        "ppt/slides/_rels/slide1.xml.rels": rels(("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml", ""), *links),
        "ppt/slides/slide2.xml": of_kind("p:sld", common(shape(paragraph("Second slide"))) + mapped),
        "ppt/slides/_rels/slide2.xml.rels": rels(("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml", "")),
        "ppt/slideLayouts/slideLayout1.xml": of_kind('p:sldLayout type="titleOnly"', common(
            shape(paragraph("Click"), number=2, name="Title", placeholder='<p:ph type="title"/>') + layout) + mapped),
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": rels(("rId1", "slideMaster", "../slideMasters/slideMaster1.xml", "")),
        "ppt/slideMasters/slideMaster1.xml": of_kind("p:sldMaster", (
            common(shape(paragraph("Click"), number=2, name="Title", placeholder='<p:ph type="title"/>') + master) + COLOURS
            + '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>'
        )),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": rels(
            ("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml", ""), ("rId2", "theme", "../theme/theme1.xml", "")
        ),
        "ppt/theme/theme1.xml": theme(),
    }  # fmt: skip
    for name, data in (more or {}).items():
        parts[name] = data.encode() if isinstance(data, str) else data
    return {"[Content_Types].xml": _types(parts), **parts} if "[Content_Types].xml" not in parts else parts


def deck(
    shapes: str = "",
    more: Mapping[str, bytes | str] | None = None,
    *,
    links: Iterable[Link] = (),
    top: Iterable[Link] = (),
    outside: Iterable[Link] = (),
    after: str = "",
    inside: str = "",
    slide_name: str = "",
    master: str = "",
    layout: str = "",
) -> bytes:
    """As :func:`parts_of`, zipped."""
    return zipped(
        parts_of(
            shapes, more, links=links, top=top, outside=outside, after=after, inside=inside,
            slide_name=slide_name, master=master, layout=layout,
        )
    )  # fmt: skip
