"""Keywords of slides, animations, charts and drawings that look like words and names: Diamond, Morning, Banner.

PowerPoint asks to repair a presentation in which one of these was replaced.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_presented", "is_written"]

_SLIDES: Final = """
    title body ctrTitle subTitle dt sldNum ftr hdr obj chart tbl clipArt dgm media sldImg pic full half quarter
    tx twoColTx txAndChart chartAndTx txAndClipArt clipArtAndTx titleOnly blank txAndObj objAndTx objOnly txAndMedia
    mediaAndTx objOverTx txOverObj txAndTwoObj twoObjAndTx twoObjOverTx fourObj vertTx clipArtAndVertTx
    vertTitleAndTx vertTitleAndTxOverChart twoObj objAndTwoObj twoObjAndObj cust secHead twoTxTwoObj objTx picTx
    screen4x3 screen16x9 screen16x10 letter ledger overhead banner hagakiCard B4ISO B5ISO B4JIS B5JIS 35mm
    sldView sldMasterView notesView handoutView notesMasterView outlineView sldSorterView sldThumbnailView
    restored minimized maximized slides handouts1 handouts2 handouts3 handouts4 handouts6 handouts9 notes outline
    fitToSlide 1pic 2pic 4pic 1picTitle 2picTitle 4picTitle frameStyle1 frameStyle2 frameStyle3 frameStyle4
    frameStyle5 frameStyle6 frameStyle7 textAndBackground present browse kiosk slow fast
"""
"""Placeholders, layouts, sizes, views, printing (ECMA-376 part 1, 19.7)."""

_ANIMATIONS: Final = """
    clickEffect withEffect afterEffect mainSeq interactiveSeq clickPar withGroup afterGroup tmRoot entr exit emph verb
    mediacall remove freeze hold transition always whenNotActive never canSlip sameClick lastClick nextClick onBegin
    onEnd onClick onDblClick onMouseOver onMouseOut onNext onPrev onStopAudio discrete fmla additive base repl mult
    normal childStyle allAtOnce whole allPts gridLegend series category seriesEl categoryEl lvlOne lvlAtOnce
    breadthByNode breadthByLvl depthByNode depthByBranch objectOverlap one call seek prev skipTimed remove visible
    hidden parent element shape subShape paragraph word background indefinite cancelBubble byObject byWord byChar
"""
"""Timing and effects (19.7)."""

_WRITTEN: Final = {
    ("animEffect", "filter"): re.compile(
        r"(?:(?:barn|blinds|box|checkerboard|circle|diamond|dissolve|fade|image|pixelate|plus|randombar|slide|stretch"
        r"|strips|wedge|wheel|wipe)(?:\(\w*\))?;?)+"
    ),
    ("cmd", "cmd"): re.compile(r"play(?:From\([\d.]*\))?|pause|resume|stop|togglePause|-?\d"),
    ("oleObj", "progId"): re.compile(
        r"(?:Excel|Word|PowerPoint|Visio|Package|Equation|AcroExch|MSGraph|MSProject|Paint|PBrush|Outlook)"
        r"(?:\.(?:Sheet|SheetMacroEnabled|SheetBinaryMacroEnabled|Chart|Document|DocumentMacroEnabled|Show|Slide|Template"
        r"|Drawing|Picture|Project|FileAttach|DSMT\d|\d{1,2}))*"
    ),
    ("numFmt", "formatCode"): re.compile("General"),
    ("dataModelExt", "minVer"): re.compile(r"http://schemas\.openxmlformats\.org/drawingml/\d{4}/diagram"),
    **dict.fromkeys(
        ((element, "action") for element in ("hlinkClick", "hlinkHover", "hlinkMouseOver")),
        re.compile(
            r"ppaction://(?:media|noaction|hlink(?:sldjump|pres|file|showjump)|customshow|ole)"
            r"(?:\?(?:jump=(?:first|last|next|previous)slide|jump=(?:lastslideviewed|endshow)|(?:id|verb|slideindex)=\d{1,2}"
            r"|return=(?:true|false))(?:&(?:amp;)?return=(?:true|false))?)?"
        ),
    ),
}
"""Attributes whose keywords take arguments, and what is theirs alone (19.5; [MS-OE376] 2.1.1253)."""

_LOOKS: Final = """
    legacyMatte legacyPlastic legacyMetal legacyWireframe matte warmMatte translucentPowder powder dkEdge softEdge
    softmetal legacyFlat1 legacyFlat2 legacyFlat3 legacyFlat4 legacyNormal1 legacyNormal2 legacyNormal3 legacyNormal4
    legacyHarsh1 legacyHarsh2 legacyHarsh3 legacyHarsh4 threePt twoPt balanced soft harsh flood contrasting morning
    sunrise sunset chilly freezing glow brightRoom orthographicFront obliqueTopLeft obliqueTopRight relaxedInset slope
    angle softRound convex coolSlant divot riblet hardEdge artDeco plaid weave trellis shingle sphere solidDmnd
    openDmnd lgCheck smCheck smConfetti lgConfetti horzBrick diagBrick smGrid lgGrid dotGrid dkHorz dkVert ltHorz
    ltVert narHorz narVert dkDnDiag dkUpDiag ltDnDiag ltUpDiag wdDnDiag wdUpDiag dashHorz dashVert dashDnDiag
    dashUpDiag sngStrike dblStrike noStrike arabicPeriod arabicPlain arabicParenR arabicParenBoth alphaLcPeriod
    alphaUcPeriod alphaLcParenR alphaUcParenR alphaLcParenBoth alphaUcParenBoth romanLcPeriod romanUcPeriod
    romanLcParenR romanUcParenR slidenum datetime datetimeFigureOut datetime1 datetime2 datetime3 datetime4 datetime5
    datetime6 datetime7 datetime8 datetime9 datetime10 datetime11 datetime12 datetime13 hlink folHlink centerGroup roman
    script fraktur double-struck sans-serif monospace undOvr subSup noBar overflow ellipsis clip screen print hqprint
    email rotate
"""
"""Materials, light, cameras, bevels, patterns, numbering (20.1.10)."""

_CHARTS: Final = """
    area bubble line radar surface cone coneToMax box cylinder pyramid pyramidToMax col bar gap zero span movingAvg
    poly power exp log linear hundreds thousands tenThousands hundredThousands millions tenMillions hundredMillions
    billions trillions lineMarker smoothMarker filled cust percentage fixedVal stdErr stdDev plus minus low wide
    composite conn cycle hierChild hierRoot pyra snake node norm asst nonAsst doc pres parTrans sibTrans
    parOf presOf presParOf unknownRelationship over under lgstShape hierarchy relationship process matrix picture
    mainScheme fade sunburst treemap waterfall clusteredColumn boxWhisker paretoLine funnel regionMap exclusive
    inclusive autoZero allowNoFillOverride allowNoLineOverride TxLink CELLRANGE VALUE SERIESNAME CATEGORYNAME XVALUE
    YVALUE PERCENTAGE BUBBLESIZE FORMULA span repeat list convert colorful simple pyramid alignOff begMarg bendDist
    begPad bMarg bOff ctrX ctrXOff ctrY ctrYOff connDist diam endMarg endPad hArH hOff lMarg lOff rMarg rOff primFontSz
    secFontSz pyraAcctRatio sibSp secSibSp stemThick tMarg tOff wArH wOff horzAlign vertAlign chDir chAlign secChAlign
    linDir secLinDir stElem bendPt connRout begSty endSty rotPath ctrShpMap nodeHorzAlign nodeVertAlign fallback txDir
    pyraAcctPos pyraAcctTxMar txBlDir txAnchorHorz txAnchorVert txAnchorHorzCh txAnchorVertCh parTxLTRAlign
    parTxRTLAlign shpTxLTRAlignCh shpTxRTLAlignCh autoTxRot grDir flowDir contDir bkpt hierAlign bkPtFixedVal
    stBulletLvl spanAng lnSpParP lnSpAfChP rtShortDist alignTx pyraLvlNode pyraAcctBkgdNode pyraAcctTxNode srcNode
    dstNode begPts endPts stAng fromL fromR fromT fromB grav sameDir revDir endCnv self desOrSelf ancst ancstOrSelf
    followSib precedSib follow preced root revPos posEven posOdd depth maxDepth orgChart chMax chPref bulEnabled
    hierBranch animOne animLvl resizeHandles hang branch
"""
"""Charts and diagrams (21.2.3, 21.4.7)."""

_WORDS: Final = frozenset((_SLIDES + _ANIMATIONS + _LOOKS + _CHARTS).split())


def is_presented(value: str) -> bool:
    """Whether `value` is such a keyword, or a list of them."""
    return value in _WORDS or (" " in value and _WORDS.issuperset(value.split(" ")))


def is_written(element: str, attribute: str, value: str) -> bool:
    """Whether an attribute's own vocabulary is all it holds: an effect, a command, an action, a kind of object."""
    pattern = _WRITTEN.get((element, attribute))
    return pattern is not None and pattern.fullmatch(value) is not None
