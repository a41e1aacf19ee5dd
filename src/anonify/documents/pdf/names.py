"""Names that belong to the format, not to a document."""

from __future__ import annotations

from typing import Final

__all__ = ["STANDARD"]

# fmt: off
STANDARD: Final = frozenset([
    "/Abbreviation", "/Accepted", "/Action", "/Actions", "/Active", "/Adobe", "/Alternate", "/Alternates", "/Angle",
    "/Annot", "/Annotation", "/Annots", "/Appearance", "/Application", "/Approved", "/Article", "/Artifact",
    "/Ascent", "/Aside", "/Attached", "/Author", "/Background", "/Base", "/Bead", "/Bibliography", "/Black",
    "/Bleed", "/Block", "/Blue", "/Bold", "/Border", "/Bottom", "/Bounds", "/Button", "/Cancelled", "/Caps",
    "/Caption", "/Caret", "/Catalog", "/Category", "/Cell", "/Center", "/Change", "/Check", "/Circle",
    "/Classification", "/Cloud", "/Code", "/Collection", "/Color", "/Colors", "/Column", "/Columns", "/Comment",
    "/Comments", "/Compatible", "/Completed", "/Component", "/Confidential", "/Content", "/Contents", "/Contract",
    "/Contrast", "/Copy", "/Count", "/Courier", "/Cover", "/Creator", "/Crop", "/Custom", "/Cyan", "/Darken",
    "/Dash", "/Data", "/Date", "/Decode", "/Default", "/Delete", "/Descent", "/Design", "/Dest", "/Destination",
    "/Diamond", "/Difference", "/Differences", "/Direction", "/Document", "/Domain", "/Draft", "/Editing",
    "/Effect", "/Embedded", "/Emphasis", "/Encode", "/Encoding", "/Encrypt", "/Entries", "/Event", "/Exclusion",
    "/Experimental", "/Expired", "/Export", "/Extend", "/Extension", "/Fade", "/Field", "/Fields", "/Figure",
    "/File", "/Filespec", "/Filter", "/Final", "/First", "/Fixed", "/Flags", "/Flate", "/Font", "/Footer",
    "/Footnote", "/Form", "/Format", "/Formula", "/Function", "/Functions", "/Gamma", "/Global", "/Green", "/Group",
    "/Header", "/Headers", "/Heading", "/Height", "/Help", "/Helvetica", "/Hidden", "/Hide", "/Highlight", "/Icon",
    "/Identity", "/Image", "/Images", "/Import", "/Indent", "/Index", "/Indexed", "/Info", "/Initial", "/Inline",
    "/Input", "/Insert", "/Intent", "/Interpolate", "/Italic", "/Item", "/JavaScript", "/Javascript", "/Justify",
    "/Keywords", "/Kids", "/Label", "/Language", "/Last", "/Launch", "/Layer", "/Layout", "/Leading", "/Left",
    "/Length", "/Light", "/Lighten", "/Line", "/Linear", "/Lines", "/Link", "/List", "/Locale", "/Lock", "/Long",
    "/Luminosity", "/Magenta", "/Manifest", "/Mark", "/Marked", "/Marker", "/Mask", "/Matrix", "/Matte", "/Measure",
    "/Media", "/Medium", "/Metadata", "/Middle", "/Mode", "/Movie", "/Multiply", "/Name", "/Named", "/Names",
    "/Nested", "/Next", "/None", "/Normal", "/Note", "/Number", "/Numbers", "/Object", "/Objects", "/Oblique",
    "/Open", "/Optional", "/Options", "/Order", "/Ordering", "/Outline", "/Outlines", "/Outside", "/Overlay",
    "/Overprint", "/Padding", "/Page", "/Pages", "/Paragraph", "/Params", "/Parent", "/Part", "/Password", "/Paste",
    "/Path", "/Pattern", "/Perceptual", "/Permissions", "/Perms", "/Phone", "/Placement", "/Polygon", "/Popup",
    "/Portfolio", "/Position", "/Predictor", "/Presentation", "/Prev", "/Primary", "/Print", "/Private", "/Process",
    "/Producer", "/Production", "/Properties", "/Public", "/Quote", "/Range", "/Ratio", "/Reason", "/Rect",
    "/Redact", "/Reference", "/Registry", "/Regular", "/Rejected", "/Relationship", "/Relative", "/Rendition",
    "/Repeat", "/Replace", "/Reset", "/Resources", "/Response", "/Review", "/Right", "/Role", "/Roman", "/Root",
    "/Rotate", "/Rows", "/Ruby", "/Saturation", "/Scale", "/Schema", "/Scheme", "/Scope", "/Screen", "/Script",
    "/Sect", "/Section", "/Separation", "/Shading", "/Short", "/Sign", "/Signature", "/Simple", "/Size", "/Solid",
    "/Sound", "/Source", "/Space", "/Span", "/Spell", "/Split", "/Spot", "/Square", "/Stamp", "/Standard", "/Start",
    "/State", "/Status", "/Stream", "/Strike", "/String", "/Strong", "/Struct", "/Style", "/Subject", "/Submit",
    "/Subtype", "/Summary", "/Supplement", "/Suspect", "/Symbol", "/Table", "/Target", "/Template", "/Text",
    "/Thread", "/Threads", "/Tiling", "/Times", "/Timestamp", "/Title", "/Toggle", "/Transparency", "/Trapped",
    "/Triangle", "/Trigger", "/Trim", "/Type", "/Unchanged", "/Underline", "/Unicode", "/Union", "/Unique",
    "/Units", "/Unlock", "/Unmarked", "/Update", "/Upper", "/Usage", "/User", "/Value", "/Values", "/Version",
    "/Vertices", "/View", "/Viewport", "/Visibility", "/Visible", "/Voice", "/Volume", "/Warning", "/Watermark",
    "/Weight", "/White", "/Whitepoint", "/Widget", "/Width", "/Widths", "/Window", "/Windows", "/Wipe", "/Word",
    "/Wrap", "/Writing", "/Yellow", "/Zapf", "/Zoom",
])
# fmt: on
"""Names the standard itself gives, which say nothing about a document.  They are neither renamed nor reported."""
