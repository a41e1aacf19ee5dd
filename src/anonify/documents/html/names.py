"""Names that belong to HTML itself, so that they are neither content nor changed."""

from __future__ import annotations

from typing import Final

__all__ = ["DRY", "LINKS", "is_attribute", "is_tag"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TAGS: Final = _words(
    """
    a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink
    blockquote body br button canvas caption center cite code col colgroup command content data datalist dd
    del details dfn dialog dir div dl dt element em embed fieldset figcaption figure font footer form frame
    frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen
    label legend li link listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr
    noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre progress q
    rb rbc rp rt rtc ruby s samp script search section select shadow slot small source spacer span strike
    strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u
    ul var video wbr xml xmp animate animatemotion animatetransform circle clippath defs desc ellipse feblend
    fecolormatrix fegaussianblur femerge femergenode feoffset filter foreignobject g line lineargradient
    marker mask metadata mpath path pattern polygon polyline radialgradient rect set stop switch symbol text
    textpath tspan use view annotation annotation-xml maction menclose merror mfenced mfrac mi mmultiscripts
    mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd
    mtext mtr munder munderover none semantics
    """
)

DRY: Final = _words(
    """
    abbr accept accept-charset accesskey align alink allow allowfullscreen async autocapitalize autocomplete
    autofocus autoplay axis baseprofile bgcolor border bordercolor bottommargin cellpadding cellspacing char
    charoff charset checked class clear color cols colspan compact contenteditable controls coords crossorigin
    d datetime decoding defer dir dirname disabled dominant-baseline draggable dx dy enctype enterkeyhint face
    fetchpriority fill fill-opacity fill-rule fillcolor font-family font-size font-weight for form formenctype
    formmethod formnovalidate formtarget frame frameborder fx fy gradienttransform gradientunits headers
    height hidden high hreflang hspace http-equiv id imagesizes inert inputmode integrity is ismap itemid
    itemprop itemref itemscope itemtype kind lang language leftmargin link list loading loop low marginheight
    marginwidth max maxlength media method min minlength multiple muted name nohref nomodule nonce noresize
    noshade novalidate nowrap offset open opacity optimum path pattern ping playsinline points popover preload
    preserveaspectratio r radius readonly referrerpolicy rel required rev reversed rightmargin role rows
    rowspan rules rx ry sandbox scope scrolling selected shape shadowrootmode size sizes slot span spellcheck
    start step stop-color stop-opacity stroke stroke-linecap stroke-linejoin stroke-miterlimit stroke-width
    strokecolor stroked style tabindex target text text-anchor topmargin transform translate type unselectable
    valign value valuetype version viewbox vlink vspace width wrap writingsuggestions x x1 x2 xmlns xml:lang
    xml:space y y1 y2
    """
)
"""Attributes that say how, not what: swept, but not read by a person."""

LINKS: Final = _words(
    """
    action archive attributionsrc background cite classid code codebase data dynsrc formaction href icon
    imagesrcset longdesc lowsrc manifest ping poster profile src srcset usemap xlink:href xmlns:xlink v:href
    o:href
    """
)
"""Attributes whose value is a link, or several."""

_FURTHER: Final = _words(
    """
    alt content download label placeholder prompt srcdoc standby summary title
    """
)

_ARIA: Final = _words(
    """
    activedescendant atomic autocomplete braillelabel brailleroledescription busy checked colcount colindex
    colindextext colspan controls current describedby description details disabled dropeffect errormessage
    expanded flowto grabbed haspopup hidden invalid keyshortcuts label labelledby level live modal multiline
    multiselectable orientation owns placeholder posinset pressed readonly relevant required roledescription
    rowcount rowindex rowindextext rowspan selected setsize sort valuemax valuemin valuenow valuetext
    """
)
_EVENTS: Final = _words(
    """
    abort afterprint animationend animationstart auxclick beforeinput beforeprint beforeunload blur cancel
    canplay change click close contextmenu copy cut dblclick drag dragend dragenter dragleave dragover
    dragstart drop ended error focus focusin focusout hashchange input invalid keydown keypress keyup load
    loadeddata loadedmetadata loadstart message mousedown mouseenter mouseleave mousemove mouseout mouseover
    mouseup mousewheel offline online pagehide pageshow paste pause play playing pointerdown pointermove
    pointerup popstate progress reset resize scroll search select stalled storage submit suspend timeupdate
    toggle touchend touchmove touchstart transitionend unload wheel
    """
)


def is_tag(name: str) -> bool:
    """Whether HTML, SVG or MathML know the tag, or a program marks its own with a prefix (`o:p`)."""
    if name in _TAGS:
        return True
    prefix, colon, rest = name.partition(":")
    return bool(colon) and len(prefix) <= 4 and rest.isascii() and rest.isalnum() and prefix.isalnum()


def is_attribute(name: str) -> bool:
    """Whether HTML knows the attribute (`data-…` it does not: anything may stand there)."""
    if name in DRY or name in LINKS or name in _FURTHER:
        return True
    return (name.startswith("aria-") and name[5:] in _ARIA) or (name.startswith("on") and name[2:] in _EVENTS)
