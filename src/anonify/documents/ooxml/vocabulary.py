"""Words of the standard itself: attribute values a schema lists (ECMA-376 part 1, annex A; MCE 10).

A surname may be `Green`, and the text of the document says so; `w:highlight w:val="green"` does not.  Word refuses a
document in which such a keyword was replaced, and leaving it tells nobody anything.
"""

from __future__ import annotations

import re
from typing import Final

from .known import DRAWN, is_font, is_language, is_style
from .presented import is_presented, is_written

__all__ = ["FORMULAS", "STANDARDS", "is_keyword", "is_standard", "without_references", "words"]

STANDARDS: Final = (
    "http://schemas.openxmlformats.org/",
    "http://schemas.microsoft.com/",
    "http://purl.oclc.org/ooxml/",
    "http://purl.org/",
    "http://www.w3.org/",
    "urn:schemas-microsoft-com:",
)
"""What the standards' own namespaces and relationship types begin with."""

_CONTENT_TYPE: Final = re.compile(
    r"application/(?:vnd\.(?:openxmlformats-|ms-)[\w.+-]+|xml|x?html(?:\+xml)?|rtf|octet-stream|pdf|inkml\+xml|msword|zip)"
    r"|(?:image|audio|video|font)/[\w.+-]+|text/[\w.+-]+|message/rfc822",
    re.IGNORECASE,
)
_GUID: Final = re.compile(r"\{[0-9A-Fa-f-]{36}\}")


def words(text: str) -> frozenset[str]:
    """The words of `text`: a table that is written, and read, as a paragraph."""
    return frozenset(text.split())


_FREE: Final = words(
    "alt altText altTextSummary anchor author caption columnHeaderCaption command comment connection content "
    "dataCaption descr description displayName displayText docLocation ed element error errorCaption errorTitle "
    "grandTotalCaption help initials instr label missingCaption name newName oldName prefixMappings prompt "
    "promptTitle rowHeaderCaption shortName sourceFile src string target text tgtFrame title tooltip url user "
    "userId userName v value xpath"
)
"""Attributes a person's words may stand in."""
_FREE_VALUES: Final = words(
    "alias aliases attr caption customFilter default docPart docPartCategory docVar filter helpText listEntry "
    "listItem lvlText name query sectionTitle statusText tag tblCaption tblDescription uniqueTag"
)
"""Elements whose `val` a person's words may stand in."""

_KEYWORDS: Final = words(
    # alignment, position, direction
    "start center right left both distribute highKashida lowKashida mediumKashida thaiDistribute numTab bottom inside "
    "outside inline margin page text column character leftMargin rightMargin topMargin bottomMargin insideMargin "
    "outsideMargin paragraph line lrTb tbRl btLr lrTbV tbRlV tbLrV horz vert vert270 wordArtVert eaVert mongolianVert "
    "baseline superscript subscript around tight through topAndBottom square bothSides largest absolute relative "
    # on, off, automatic and the like
    "true false auto none default nextPage nextColumn continuous evenPage oddPage even first begin separate preserve "
    "exact atLeast fixed autofit clear decimal hyphen underscore heavy middleDot restart eachPage eachSect "
    "docGrid lines linesAndChars snapToChars portrait landscape optimal clean dirty windows locked sdtLocked "
    "contentLocked sdtContentLocked unlocked readOnly comments trackedChanges forms everyone administrators "
    "contributors editors owners current whole formatted replace minor major minorHAnsi minorEastAsia "
    "minorBidi minorAscii majorHAnsi majorEastAsia majorBidi majorAscii ascii hAnsi eastAsia simple table numbering "
    "singleLevel multilevel hybridMultilevel space nothing paragraph picture date calendar gregorian dateTime "
    # borders, underlines, shading
    "single double triple dotted dashed dotDash dotDotDash thick thickThinSmallGap thinThickSmallGap wave doubleWave "
    "thinThickThinSmallGap thickThinMediumGap thinThickMediumGap thinThickThinMediumGap thickThinLargeGap "
    "thinThickLargeGap thinThickThinLargeGap dashSmallGap dashDotStroked threeDEmboss threeDEngrave outset inset "
    "words dashLong dashedHeavy dottedHeavy dashLongHeavy dashDotHeavy dashDotDotHeavy wavyHeavy wavyDouble solid "
    "horzStripe vertStripe diagStripe diagCross reverseDiagStripe horzCross thinHorzStripe thinVertStripe sysDot "
    "sysDash sysDashDot sysDashDotDot lgDash lgDashDot lgDashDotDot dash dashDot round bevel miter flat "
    "triangle stealth diamond oval arrow small medium large "
    # colours
    "black blue cyan green magenta yellow white darkBlue darkCyan darkGreen darkMagenta darkRed darkYellow darkGray "
    "lightGray dark1 light1 dark2 light2 accent1 accent2 accent3 accent4 accent5 accent6 hyperlink followedHyperlink "
    "background1 text1 background2 text2 phClr windowText window aqua fuchsia gray lime maroon navy olive purple "
    "silver teal orange brown coral crimson gold indigo ivory khaki lavender pink plum salmon sienna snow tomato "
    "turquoise violet wheat beige azure bisque chocolate linen orchid peru thistle tan chartreuse darkOrange darkRed "
    # numbering
    "upperRoman lowerRoman upperLetter lowerLetter ordinal cardinalText ordinalText bullet chicago decimalZero "
    "japaneseCounting aiueo iroha decimalFullWidth ganada chosung hebrew1 hebrew2 arabicAlpha arabicAbjad thaiLetters "
    # drawings
    "rect ellipse line straightConnector1 roundRect cloud heart star star4 star5 arc wave chevron plaque cube moon "
    "frame corner teardrop wedgeRectCallout shape group fill stroke tile stretch gradient linear circle path over "
    "posOffset frontOfText behindText topLeft ctr just dist warm cool phong flat plastic metal perspective "
    "simple standard percentStacked stacked clustered marker bar percent smooth nextTo high cross between midCat "
    "minMax rich string number date rectangle icon embed content internal external"
)


_STYLED: Final = words(
    "style pStyle rStyle tblStyle basedOn next link numStyleLink styleLink clickAndTypeStyle defaultTableStyle "
    "lsdException styles.name"
)
_FONTED: Final = words("rFonts font latin ea cs sym buFont rFont altName styleSheet.name")
_FACES: Final = words("ascii hAnsi eastAsia cs name typeface font val")
"""Where styles and fonts are named; a `name` is one of them in the part about them alone."""

FORMULAS: Final = words(
    "f formula formula1 formula2 definedName calculatedColumnFormula totalsRowFormula oldFormula "
    "FmlaLink FmlaRange FmlaGroup FmlaTxbx FmlaMacro FmlaPict"
)
"""Elements of spreadsheets whose text is a formula (ECMA-376 part 1, 18.17)."""

_PLACES: Final = words(
    "r ref sqref spans activeCell topLeftCell cell totalsRowCell firstHeaderRow fmlaLink fmlaRange textlink r1 r2"
)
_COLUMN: Final = r"\$?(?:[A-Za-z]{1,2}|[A-Wa-w][A-Za-z]{2}|[Xx][A-Ea-e][A-Za-z]|[Xx][Ff][A-Da-d])"
_LINE: Final = r"\$?(?:[1-9]\d{0,5}|10[0-3]\d{4}|104[0-7]\d{3}|1048[0-4]\d{2}|10485[0-6]\d|104857[0-6])"
_PLACE: Final = re.compile(rf"(?:{_COLUMN}{_LINE}(?::{_COLUMN}{_LINE})?\s?)+|\d{{1,5}}:\d{{1,5}}")
_ROW: Final = re.compile(_LINE)
_REFERENCE: Final = re.compile(rf"(?<![\w.]){_COLUMN}{_LINE}(?![\w(.])|(?<![\w.]){_LINE}:{_LINE}(?![\w.])")
_LITERAL: Final = re.compile(r"(\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'|\[[^\]]*\])")


def without_references(formula: str) -> str:
    """A formula, as long as before, with its references to cells blanked: `A90210` tells of no postal code."""
    pieces = _LITERAL.split(formula)
    pieces[::2] = [_REFERENCE.sub(lambda match: "\u241e" * len(match[0]), piece) for piece in pieces[::2]]
    return "".join(pieces)


def is_standard(uri: str) -> bool:
    """Whether a URI or media type is one the standards define, or a bare GUID."""
    return uri.startswith(STANDARDS) or _CONTENT_TYPE.fullmatch(uri) is not None or _GUID.fullmatch(uri) is not None


def _is_shipped(element: str, attribute: str, value: str) -> bool:
    """Whether a style, font or language is named that came with the application."""
    if element in _STYLED:
        return attribute in ("val", "styleId", "name") and is_style(value)
    if element in _FONTED:
        return (attribute in _FACES and is_font(value)) or (attribute == "script" and len(value) == len("Hans"))
    return (element in ("lang", "themeFontLang") or attribute in ("lang", "altLang")) and is_language(value)


def is_keyword(element: str, attribute: str, value: str) -> bool:
    """Whether `value` stands in an attribute of Office's vocabularies as a keyword.

    Args:
        element: local name; of a `name`, after the local name of the part's root and a point.
        attribute: local name.
        value: the whole value.
    """
    if attribute in _PLACES and (_PLACE.fullmatch(value) or (element == "row" and _ROW.fullmatch(value))):
        return True
    if _is_shipped(element, attribute, value):
        return True
    if is_written(element, attribute, value):
        return True
    if attribute in _FREE or not (value in _KEYWORDS or value in DRAWN or is_presented(value)):
        return False
    return not (attribute == "val" and element.rpartition(".")[2] in _FREE_VALUES)
