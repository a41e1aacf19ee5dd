"""Names that belong to the format, not to a document."""

from __future__ import annotations

from typing import Final

__all__ = ["STANDARD"]

# fmt: off
STANDARD: Final = frozenset([
    "/83pv-RKSJ-H", "/90ms-RKSJ-H", "/90ms-RKSJ-V", "/90pv-RKSJ-H", "/Abbreviation", "/Accepted", "/Action",
    "/Actions", "/Active", "/Add-RKSJ-H", "/Add-RKSJ-V", "/Adobe", "/Adobe.PPKLite", "/Adobe.PubSec", "/Alternate",
    "/Alternates", "/Angle", "/Annot", "/Annotation", "/Annots", "/Appearance", "/Application", "/Approved",
    "/Article", "/Artifact", "/Ascent", "/Aside", "/Attached", "/Author", "/Background", "/Base", "/Bead",
    "/Bibliography", "/Black", "/Bleed", "/Block", "/Blue", "/Bold", "/Border", "/Bottom", "/Bounds", "/Button",
    "/CIDFontType0", "/CIDFontType0C", "/CIDFontType2", "/Cancelled", "/Caps", "/Caption", "/Caret", "/Catalog",
    "/Category", "/Cell", "/Center", "/Change", "/Check", "/Circle", "/Classification", "/Cloud", "/Code",
    "/Collection", "/Color", "/Colors", "/Column", "/Columns", "/Comment", "/Comments", "/Compatible", "/Completed",
    "/Component", "/Confidential", "/Content", "/Contents", "/Contract", "/Contrast", "/Copy", "/Count", "/Courier",
    "/Courier-Bold", "/Courier-BoldOblique", "/Courier-Oblique", "/Cover", "/Creator", "/Crop", "/Custom", "/Cyan",
    "/Darken", "/Dash", "/Data", "/Date", "/Decode", "/Default", "/Delete", "/Descent", "/Design", "/Dest",
    "/Destination", "/Diamond", "/Difference", "/Differences", "/Direction", "/Document", "/Domain", "/Draft",
    "/ETSI.CAdES.detached", "/ETSI.RFC3161", "/ETen-B5-H", "/ETen-B5-V", "/Editing", "/Effect", "/Embedded",
    "/Emphasis", "/Encode", "/Encoding", "/Encrypt", "/Entries", "/Event", "/Exclusion", "/Experimental", "/Expired",
    "/Export", "/Ext-RKSJ-H", "/Ext-RKSJ-V", "/Extend", "/Extension", "/Fade", "/Field", "/Fields", "/Figure",
    "/File", "/Filespec", "/Filter", "/Final", "/First", "/Fixed", "/Flags", "/Flate", "/Font", "/FontFile2",
    "/FontFile3", "/Footer", "/Footnote", "/Form", "/Format", "/Formula", "/Function", "/Functions", "/GBK-EUC-H",
    "/GBK-EUC-V", "/GBK2K-H", "/GBK2K-V", "/GBKp-EUC-H", "/GBKp-EUC-V", "/Gamma", "/Global", "/Green", "/Group",
    "/Header", "/Headers", "/Heading", "/Height", "/Help", "/Helvetica", "/Helvetica-Bold", "/Helvetica-BoldOblique",
    "/Helvetica-Oblique", "/Hidden", "/Hide", "/Highlight", "/Icon", "/Identity", "/Identity-H", "/Identity-V",
    "/Image", "/Images", "/Import", "/Indent", "/Index", "/Indexed", "/Info", "/Initial", "/Inline", "/Input",
    "/Insert", "/Intent", "/Interpolate", "/Italic", "/Item", "/JBIG2Decode", "/JBIG2Globals", "/JavaScript",
    "/Javascript", "/Justify", "/KSC-EUC-H", "/KSC-EUC-V", "/KSCms-UHC-H", "/KSCms-UHC-V", "/Keywords", "/Kids",
    "/Label", "/Language", "/Last", "/Launch", "/Layer", "/Layout", "/Leading", "/Left", "/Length", "/Light",
    "/Lighten", "/Line", "/Linear", "/Lines", "/Link", "/List", "/Locale", "/Lock", "/Long", "/Luminosity",
    "/Magenta", "/Manifest", "/Mark", "/Marked", "/Marker", "/Mask", "/Matrix", "/Matte", "/Measure", "/Media",
    "/Medium", "/Metadata", "/Middle", "/Mode", "/Movie", "/Multiply", "/Name", "/Named", "/Names", "/Nested",
    "/Next", "/None", "/Normal", "/Note", "/Number", "/Numbers", "/Object", "/Objects", "/Oblique", "/Open",
    "/Optional", "/Options", "/Order", "/Ordering", "/Outline", "/Outlines", "/Outside", "/Overlay", "/Overprint",
    "/Padding", "/Page", "/Pages", "/Paragraph", "/Params", "/Parent", "/Part", "/Password", "/Paste", "/Path",
    "/Pattern", "/Perceptual", "/Permissions", "/Perms", "/Phone", "/Placement", "/Polygon", "/Popup", "/Portfolio",
    "/Position", "/Predictor", "/Presentation", "/Prev", "/Primary", "/Print", "/Private", "/Process", "/Producer",
    "/Production", "/Properties", "/Public", "/Quote", "/Range", "/Ratio", "/Reason", "/Rect", "/Redact",
    "/Reference", "/Registry", "/Regular", "/Rejected", "/Relationship", "/Relative", "/Rendition", "/Repeat",
    "/Replace", "/Reset", "/Resources", "/Response", "/Review", "/Right", "/Role", "/Roman", "/Root", "/Rotate",
    "/Rows", "/Ruby", "/Saturation", "/Scale", "/Schema", "/Scheme", "/Scope", "/Screen", "/Script", "/Sect",
    "/Section", "/Separation", "/Shading", "/Short", "/Sign", "/Signature", "/Simple", "/Size", "/Solid", "/Sound",
    "/Source", "/Space", "/Span", "/Spell", "/Split", "/Spot", "/Square", "/Stamp", "/Standard", "/Start", "/State",
    "/Status", "/Stream", "/Strike", "/String", "/Strong", "/Struct", "/Style", "/Subject", "/Submit", "/Subtype",
    "/Summary", "/Supplement", "/Suspect", "/Symbol", "/Table", "/Target", "/Template", "/Text", "/Thread",
    "/Threads", "/Tiling", "/Times", "/Times-Bold", "/Times-BoldItalic", "/Times-Italic", "/Times-Roman",
    "/Timestamp", "/Title", "/Toggle", "/Transparency", "/Trapped", "/Triangle", "/Trigger", "/Trim", "/Type",
    "/Type0", "/Type1", "/Type1C", "/Type3", "/Unchanged", "/Underline", "/UniCNS-UTF16-H", "/UniCNS-UTF16-V",
    "/UniGB-UCS2-H", "/UniGB-UCS2-V", "/UniGB-UTF16-H", "/UniGB-UTF16-V", "/UniJIS-UCS2-H", "/UniJIS-UCS2-V",
    "/UniJIS-UTF16-H", "/UniJIS-UTF16-V", "/UniKS-UCS2-H", "/UniKS-UCS2-V", "/UniKS-UTF16-H", "/UniKS-UTF16-V",
    "/Unicode", "/Union", "/Unique", "/Units", "/Unlock", "/Unmarked", "/Update", "/Upper", "/Usage", "/User",
    "/Value", "/Values", "/Version", "/Vertices", "/View", "/Viewport", "/Visibility", "/Visible", "/Voice",
    "/Volume", "/Warning", "/Watermark", "/Weight", "/White", "/Whitepoint", "/Widget", "/Width", "/Widths",
    "/Window", "/Windows", "/Wipe", "/Word", "/Wrap", "/Writing", "/Yellow", "/Zapf", "/Zoom", "/adbe.pkcs7.detached",
    "/adbe.pkcs7.sha1", "/adbe.x509.rsa_sha1",
])
# fmt: on
"""Names the standard itself gives, which say nothing about a document.  They are neither renamed nor reported."""
