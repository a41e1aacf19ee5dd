"""Names applications ship with: styles, fonts and languages, and the long lists of keywords for drawings and borders.

A surname may be `Strong` and a place `Georgia`; the style and the font of that name are in every other document and
tell nobody anything.  A style somebody named after a person is not on these lists.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["DRAWN", "HTML_NAME", "is_font", "is_language", "is_style"]

HTML_NAME: Final = (
    r"(?i)</?(?:abbr|address|area|article|aside|base|basefont|blockquote|body|button|caption|center|cite|code|colgroup|col"
    r"|details|dfn|div|embed|fieldset|figure|font|footer|form|frame|frameset|head|header|html|iframe|image|img|input|label"
    r"|legend|link|main|mark|menu|meta|nav|object|option|output|param|picture|progress|ruby|samp|script|section|select"
    r"|small|source|span|strike|strong|style|summary|table|tbody|template|textarea|tfoot|thead|time|title|track|video)"
    r"(?=[\s/>])"
)
"""The beginning of a tag of HTML (as a pattern): its name tells of no one."""

_NOT_SAID: Final = re.compile(r"[^a-z0-9]+")
_LINKED: Final = re.compile(r"(?:char|zchn|car|carattere|tegn|znak)\d{0,2}$")
"""Word's names for the character half of a paragraph style, in its languages."""

_STYLE: Final = re.compile(
    r"normal(?:indent|table|web)?|heading[1-9]?|title|subtitle|caption|strong|emphasis|quote|date|closing|signature"
    r"|salutation|header|footer|hyperlink|followedhyperlink|revision|macro|macrotext|bibliography|mention|hashtag"
    r"|toc(?:[1-9]|heading)|toaheading|index(?:[1-9]|heading)?"
    r"|list(?:[2-5]|(?:bullet|continue|number)[2-5]?|paragraph)?|outlinelist[1-3]|nolist|nospacing"
    r"|bodytext(?:[23]|firstindent2?|indent[23]?)?|blocktext|plaintext|balloontext|placeholdertext|documentmap"
    r"|(?:annotation|comment)(?:reference|subject|text)|(?:endnote|footnote)(?:reference|text)|envelope(?:address|return)"
    r"|defaultparagraphfont|email(?:signature)?|messageheader|noteheading|linenumber|pagenumber|booktitle"
    r"|(?:subtle|intense)(?:emphasis|quote|reference)|smart(?:hyperlink|link|linkerror)|unresolvedmention"
    r"|html(?:acronym|address|bottomofform|cite|code|definition|keyboard|preformatted|sample|topofform|typewriter|variable)"
    r"|table(?:3deffects[1-3]|classic[1-4]|colorful[1-3]|columns[1-5]|contemporary|elegant|grid[1-8]?|gridlight|list[1-8]"
    r"|normal|ofauthorities|offigures|professional|simple[1-3]|subtle[12]|theme|web[1-3])"
    r"|(?:grid|list)table[1-7](?:light|dark|colorful)?(?:accent[1-6])?|gridtablelight|plaintable[1-5]"
    r"|(?:light|medium|dark|colorful)(?:shading|list|grid)[1-3]?(?:accent[1-6])?"
    # LibreOffice and Pages
    r"|standard|default|body|textbody(?:indent)?|(?:table|frame)contents|tableheading|tablestyle\d|internetlink"
    r"|visitedinternetlink|header(?:and)?footer|header(?:left|right)|footer(?:left|right)|numberingsymbols|bullets"
    r"|(?:footnote|endnote)(?:characters|symbol|anchor)|quotations|preformattedtext|horizontalline|illustration|drawing"
)
"""Built-in styles, spaces and signs aside (ECMA-376 part 1, 17.7.4)."""

_FONT_NAMES: Final = """
    Aptos|Aptos Display|Aptos Narrow|Aptos Mono|Aptos Serif|Arial|Arial Black|Arial Narrow|Arial Unicode
    MS|Arial MT|Bahnschrift|Baskerville|Baskerville Old Face|Bell MT|Berlin Sans FB|Bodoni MT|Book
    Antiqua|Bookman Old Style|Bookshelf Symbol 7|Bradley Hand ITC|Brush Script MT|Calibri|Calibri Light|
    Californian FB|Calisto MT|Cambria|Cambria Math|Candara|Candara Light|Castellar|Centaur|Century|
    Century Gothic|Century Schoolbook|Chalkboard|Chalkduster|Cochin|Comic Sans MS|Consolas|Constantia|
    Cooper Black|Copperplate|Copperplate Gothic Bold|Copperplate Gothic Light|Corbel|Corbel Light|Courier|
    Courier New|Curlz MT|DejaVu Sans|DejaVu Sans Mono|DejaVu Serif|Didot|Dubai|Ebrima|Edwardian Script
    ITC|Engravers MT|Eras Medium ITC|FangSong|Felix Titling|Footlight MT Light|Forte|Franklin Gothic Book|
    Franklin Gothic Demi|Franklin Gothic Medium|Freestyle Script|French Script MT|Futura|Gabriola|Gadugi|
    Garamond|Geneva|Georgia|Gill Sans|Gill Sans MT|Gill Sans Nova|Gloucester MT Extra Condensed|Goudy Old
    Style|Goudy Stout|Gulim|Haettenschweiler|Harlow Solid Italic|Harrington|Helvetica|Helvetica Neue|
    Helvetica Light|High Tower Text|Hoefler Text|Impact|Imprint MT Shadow|Informal Roman|Ink Free|Javanese
    Text|Jokerman|Juice ITC|Kristen ITC|Kunstler Script|Lato|Leelawadee UI|Liberation Mono|Liberation
    Sans|Liberation Sans Narrow|Liberation Serif|Lora|Lucida Bright|Lucida Calligraphy|Lucida Console|
    Lucida Fax|Lucida Grande|Lucida Handwriting|Lucida Sans|Lucida Sans Typewriter|Lucida Sans Unicode|
    Magneto|Maiandra GD|Malgun Gothic|Mangal|Marion|Marlett|Matura MT Script Capitals|Meiryo|
    Merriweather|Microsoft JhengHei|Microsoft Sans Serif|Microsoft YaHei|Mistral|Modern No. 20|Monaco|
    Monotype Corsiva|Montserrat|MS Gothic|MS Mincho|MS PGothic|MS PMincho|MS Sans Serif|MS Serif|MT
    Extra|MV Boli|Myanmar Text|Myriad Pro|Niagara Solid|Nirmala UI|Noto Sans|Noto Sans CJK SC|Noto Sans
    Symbols|Noto Serif|OCR A Extended|Old English Text MT|Onyx|Open Sans|OpenSymbol|Optima|Oswald|PT
    Sans|PT Serif|Palace Script MT|Palatino|Palatino Linotype|Papyrus|Parchment|Perpetua|Perpetua
    Titling MT|Playbill|Playfair Display|PMingLiU|Poor Richard|Poppins|Pristina|Proxima Nova|Rage Italic|
    Raleway|Ravie|Roboto|Rockwell|Sabon|Script MT Bold|Segoe Print|Segoe Script|Segoe UI|Segoe UI
    Emoji|Segoe UI Light|Segoe UI Semibold|Segoe UI Symbol|Showcard Gothic|SimHei|SimSun|Sitka Text|Snap
    ITC|Source Sans Pro|Stencil|Sylfaen|Symbol|Tahoma|Tempus Sans ITC|Times|Times New Roman|Titillium
    Web|Trebuchet MS|Tw Cen MT|Ubuntu|Univers|Verdana|Viner Hand ITC|Vivaldi|Vladimir Script|Webdings|
    Wide Latin|Wingdings|Wingdings 2|Wingdings 3|Yu Gothic|Yu Mincho|Zapf Dingbats|Zapfino|
    Angsana New|Browallia New|Cordia New|DaunPenh|DokChampa|Estrangelo Edessa|Euphemia|Gautami|Iskoola Pota|Kalinga|
    Kartika|Khmer UI|Lao UI|Latha|Microsoft Himalaya|Microsoft New Tai Lue|Microsoft PhagsPa|Microsoft Tai Le|Microsoft
    Uighur|Microsoft Yi Baiti|Mongolian Baiti|MoolBoran|MV Boli|Nyala|Phagspa|Plantagenet Cherokee|Raavi|Shruti|Tunga|
    Vrinda|Aharoni|Arabic Typesetting|Traditional Arabic|Simplified Arabic|Majalla UI|Utsaah|Aparajita|
    Shonar Bangla|游ゴシック|游ゴシック Light|游明朝|等线|等线 Light|宋体|黑体|新細明體|맑은 고딕|
    ＭＳ Ｐゴシック|ＭＳ Ｐ明朝
"""
"""Fonts that come with Windows, macOS, Office, LibreOffice and Google Docs."""
_FONTS: Final = frozenset(" ".join(name.split()).casefold() for name in _FONT_NAMES.split("|"))

_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:_[a-z]{3,8})?")


def is_style(name: str) -> bool:
    """Whether `name` is the name or the id of a style every copy of the application has."""
    said = _NOT_SAID.sub("", name.casefold()) if name.isascii() else ""
    return bool(said) and _STYLE.fullmatch(_LINKED.sub("", said)) is not None


def is_font(name: str) -> bool:
    """Whether `name` is that of a font many machines have."""
    return name.strip().casefold() in _FONTS


def is_language(name: str) -> bool:
    """Whether `name` is a language tag (BCP 47), such as `de-DE`."""
    return _LANGUAGE.fullmatch(name) is not None


_SHAPES: Final = """
    accentBorderCallout1 accentBorderCallout2 accentBorderCallout3 accentCallout1 accentCallout2 accentCallout3 arc
    actionButtonBackPrevious actionButtonBeginning actionButtonBlank actionButtonDocument actionButtonEnd funnel
    actionButtonForwardNext actionButtonHelp actionButtonHome actionButtonInformation actionButtonMovie gear6 gear9
    actionButtonReturn actionButtonSound bentArrow bentConnector2 bentConnector3 bentConnector4 bentConnector5
    bentUpArrow bevel blockArc borderCallout1 borderCallout2 borderCallout3 bracePair bracketPair callout1 callout2
    callout3 can chartPlus chartStar chartX chevron chord circularArrow cloud cloudCallout corner cornerTabs cube
    curvedConnector2 curvedConnector3 curvedConnector4 curvedConnector5 curvedDownArrow curvedLeftArrow
    curvedRightArrow curvedUpArrow decagon diagStripe diamond dodecagon donut doubleWave downArrow downArrowCallout
    ellipse ellipseRibbon ellipseRibbon2 flowChartAlternateProcess flowChartCollate flowChartConnector
    flowChartDecision flowChartDelay flowChartDisplay flowChartDocument flowChartExtract flowChartInputOutput
    flowChartInternalStorage flowChartMagneticDisk flowChartMagneticDrum flowChartMagneticTape flowChartManualInput
    flowChartManualOperation flowChartMerge flowChartMultidocument flowChartOfflineStorage flowChartOffpageConnector
    flowChartOnlineStorage flowChartOr flowChartPredefinedProcess flowChartPreparation flowChartProcess
    flowChartPunchedCard flowChartPunchedTape flowChartSort flowChartSummingJunction flowChartTerminator
    foldedCorner frame halfFrame heart heptagon hexagon homePlate horizontalScroll irregularSeal1 irregularSeal2
    leftArrow leftArrowCallout leftBrace leftBracket leftCircularArrow leftRightArrow leftRightArrowCallout
    leftRightCircularArrow leftRightRibbon leftRightUpArrow leftUpArrow lightningBolt lineInv mathDivide mathEqual
    mathMinus mathMultiply mathNotEqual mathPlus moon noSmoking nonIsoscelesTrapezoid notchedRightArrow octagon
    parallelogram pentagon pie pieWedge plaque plaqueTabs plus quadArrow quadArrowCallout ribbon ribbon2 rightArrow
    rightArrowCallout rightBrace rightBracket round1Rect round2DiagRect round2SameRect rtTriangle smileyFace
    snip1Rect snip2DiagRect snip2SameRect snipRoundRect squareTabs star10 star12 star16 star24 star32 star6 star7
    star8 straightConnector1 stripedRightArrow sun swooshArrow trapezoid upArrow upArrowCallout upDownArrow
    upDownArrowCallout uturnArrow verticalScroll wedgeEllipseCallout wedgeRoundRectCallout textNoShape textPlain
    textStop textTriangle textChevron textRingInside textArchUp textCircle textButton textWave1
"""
"""Preset shapes (ECMA-376 part 1, 20.1.10.56)."""

_COLOURS: Final = """
    aliceBlue antiqueWhite aquamarine blanchedAlmond blueViolet burlyWood cadetBlue cornflowerBlue cornsilk
    darkGoldenrod darkGrey darkKhaki darkOliveGreen darkOrchid darkSalmon darkSeaGreen darkSlateBlue darkSlateGray
    darkTurquoise darkViolet deepPink deepSkyBlue dimGray dkBlue dkCyan dkGray dkGreen dkMagenta dkOrange dkRed
    dodgerBlue firebrick floralWhite forestGreen gainsboro ghostWhite goldenrod greenYellow grey honeydew hotPink
    indianRed lavenderBlush lawnGreen lemonChiffon lightBlue lightCoral lightCyan lightGoldenrodYellow lightGreen
    lightGrey lightPink lightSalmon lightSeaGreen lightSkyBlue lightSlateGray lightSteelBlue lightYellow limeGreen
    ltBlue ltGray ltGreen ltYellow mediumAquamarine mediumBlue mediumOrchid mediumPurple mediumSeaGreen
    mediumSlateBlue mediumSpringGreen mediumTurquoise mediumVioletRed midnightBlue mintCream mistyRose moccasin
    navajoWhite oldLace oliveDrab orange orangeRed paleGoldenrod paleGreen paleTurquoise paleVioletRed papayaWhip
    peachPuff powderBlue rosyBrown royalBlue saddleBrown sandyBrown seaGreen seaShell skyBlue slateBlue slateGray
    springGreen steelBlue whiteSmoke yellowGreen
"""
"""Preset colours (20.1.10.47)."""

_ORNAMENTS: Final = """
    apples archedScallops babyPacifier babyRattle balloons3Colors balloonsHotAir basicBlackDashes basicBlackDots
    basicBlackSquares basicThinLines basicWhiteDashes basicWhiteDots basicWhiteSquares basicWideInline
    basicWideMidline basicWideOutline bats birds birdsFlight cabins cakeSlice candyCorn celticKnotwork
    certificateBanner chainLink champagneBottle checkedBarBlack checkedBarColor checkered christmasTree circlesLines
    circlesRectangles classicalWave clocks compass confetti confettiGrays confettiOutline confettiStreamers
    confettiWhite cornerTriangles couponCutoutDashes couponCutoutDots crazyMaze creaturesButterfly creaturesFish
    creaturesInsects creaturesLadyBug crossStitch cup decoArch decoArchColor decoBlocks diamondsGray doubleD
    doubleDiamonds earth1 earth2 earth3 eclipsingSquares1 eclipsingSquares2 eggsBlack fans film firecrackers
    flowersBlockPrint flowersDaisies flowersModern1 flowersModern2 flowersPansy flowersRedRose flowersRoses
    flowersTeacup flowersTiny gems gingerbreadMan gradient handmade1 handmade2 heartBalloon heartGray hearts
    heebieJeebies holly houseFunky hypnotic iceCreamCones lightBulb lightning1 lightning2 mapPins mapleLeaf
    mapleMuffins marquee marqueeToothed moons mosaic musicNotes northwest ovals packages palmsBlack palmsColor
    paperClips papyrus partyFavor partyGlass pencils people peopleHats peopleWaving poinsettias postageStamp
    pumpkin1 pushPinNote1 pushPinNote2 pyramids pyramidsAbove quadrants rings safari sawtooth sawtoothGray scaredCat
    seattle shadowedSquares sharksTeeth shorebirdTracks skyrocket snowflakeFancy snowflakes sombrero southwest stars
    stars3d starsBlack starsShadowed starsTop sunflowers swirligig tornPaper tornPaperBlack trees triangle1
    triangle2 triangleParty triangles twistedLines1 twistedLines2 vine waveline weavingAngles weavingBraid
    weavingRibbon weavingStrips whiteFlowers woodwork xIllusions zanyTriangles zigZag zigZagStitch custom shadow
    antsBlack antsRed blinkBackground lights shimmer sparkle clear aiueoFullWidth bahtText chineseCounting
    chineseCountingThousand chineseLegalSimplified decimalEnclosedCircle decimalEnclosedFullstop
    decimalEnclosedParen decimalHalfWidth dollarText hebrew2 hex hindiConsonants hindiCounting hindiNumbers
    hindiVowels ideographDigital ideographEnclosedCircle ideographLegalTraditional ideographTraditional
    ideographZodiac irohaFullWidth japaneseDigitalTenThousand japaneseLegal koreanCounting koreanDigital koreanLegal
    numberInDash russianLower russianUpper taiwaneseCounting thaiCounting thaiNumbers vietnameseCounting firstColumn
    lastColumn firstRow lastRow band1Horz band1Vert band2Horz band2Vert neCell nwCell seCell swCell wholeTable
"""
"""Borders made of pictures, effects on text, number formats (17.18.2, 17.18.94, 17.18.59)."""

DRAWN: Final = frozenset((_SHAPES + _COLOURS + _ORNAMENTS).split())
"""Keywords of drawings, borders, effects and numbering that look like words and names."""
