"""Values in objects beside the pages: forms, signatures, structure, actions, names, media, fonts, colour."""

from __future__ import annotations

from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream, String

from .hiding import Place, annotate, check, form, form_root, names, resource


def _field(pdf: pikepdf.Pdf, **entries: Any) -> Any:
    made = annotate(pdf, Subtype=Name.Widget, **{"FT": Name.Tx, "T": String("f"), **entries})
    form_root(pdf).Fields.append(made)
    return made


def _script(text: str) -> Dictionary:
    return Dictionary(S=Name.JavaScript, JS=String(f"var who = '{text}';"))


def _stream(pdf: pikepdf.Pdf, data: bytes, **entries: Any) -> Any:
    return pdf.make_indirect(Stream(pdf, data, **entries))


def _under(text: str) -> str:
    return text.replace(" ", "_")


def field_names(pdf: pikepdf.Pdf, text: str) -> None:
    _field(pdf, T=String(f"of {text}"), TU=String(text), TM=String(f"map.{text}"))


def field_parent_name(pdf: pikepdf.Pdf, text: str) -> None:
    parent = pdf.make_indirect(Dictionary(T=String(text), Kids=Array()))
    middle = pdf.make_indirect(Dictionary(T=String("m"), Parent=parent, Kids=Array(), FT=Name.Tx, DV=String(text)))
    leaf = annotate(pdf, Subtype=Name.Widget, Parent=middle)
    middle.Kids.append(leaf)
    parent.Kids.append(middle)
    form_root(pdf).Fields.append(parent)


def field_caption(pdf: pikepdf.Pdf, text: str) -> None:
    _field(pdf, FT=Name.Btn, Ff=65536, MK=Dictionary(CA=String(text), RC=String(text), AC=String(f"Down: {text}")))


def field_options(pdf: pikepdf.Pdf, text: str) -> None:
    pairs = Array([Array([String("1"), String(text)]), Array([String(text), String("other")])])
    _field(pdf, FT=Name.Ch, Opt=pairs, V=Array([String(text)]), I=Array([0]))


def field_streams(pdf: pikepdf.Pdf, text: str) -> None:
    _field(pdf, V=_stream(pdf, text.encode()), RV=_stream(pdf, f"<body><p>{text}</p></body>".encode()))


def button_states(pdf: pikepdf.Pdf, text: str) -> None:
    name = Name("/" + _under(text))
    looks = Dictionary({str(name): pdf.make_indirect(form(pdf, b"q Q")), "/Off": pdf.make_indirect(form(pdf, b""))})
    _field(pdf, FT=Name.Btn, AP=Dictionary(N=looks), AS=name, V=name)


def field_scripts(pdf: pikepdf.Pdf, text: str) -> None:
    keep = Dictionary(S=Name.JavaScript, JS=_stream(pdf, f"event.value = '{text}';".encode()))
    made = _field(pdf, AA=Dictionary(C=_script(text), K=keep, F=_script(text)))
    form_root(pdf).CO = Array([made])


def field_default_look(pdf: pikepdf.Pdf, text: str) -> None:
    _field(pdf, DA=String(f"/Helv 9 Tf % {text}"), DS=String(f"font: 9pt '{text}'"))


def form_resources(pdf: pikepdf.Pdf, text: str) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/" + _under(text)))
    form_root(pdf).DR = Dictionary(Font=Dictionary(Helv=pdf.make_indirect(font)))


def xfa_stream(pdf: pikepdf.Pdf, text: str) -> None:
    first, last = text.split()
    packet = f"<xdp:xdp><datasets><n>{first}</n><n>{last}</n></datasets></xdp:xdp>"
    form_root(pdf).XFA = _stream(pdf, packet.encode())


def xfa_entities(pdf: pikepdf.Pdf, text: str) -> None:
    escaped = "".join(f"&#{ord(letter)};" for letter in text)
    form_root(pdf).XFA = Array([String("datasets"), _stream(pdf, f"<a b='{escaped}'>{escaped}</a>".encode())])


def signature(pdf: pikepdf.Pdf, text: str) -> None:
    value = Dictionary(
        Type=Name.Sig,
        Filter=Name("/Adobe.PPKLite"),
        Name=String(text),
        Reason=String(f"for {text}"),
        Location=String(f"at {text}"),
        ContactInfo=String(text),
        Contents=String(b"\x30\x82\x01\x00\x0c\x0e" + text.encode() + b"\0" * 40),
        Cert=String(b"\x30\x82\x1e\x1c" + text.encode("utf-16-be")),
        ByteRange=Array([0, 10, 20, 30]),
        Prop_Build=Dictionary(App=Dictionary(Name=Name("/" + _under(text)))),
    )
    lock = Dictionary(Type=Name("/SigFieldLock"), Action=Name("/Include"), Fields=Array([String(text)]))
    seed = Dictionary(Type=Name("/SV"), Reasons=Array([String(text)]), LegalAttestation=Array([String(text)]))
    made = _field(pdf, FT=Name.Sig, V=pdf.make_indirect(value), Lock=lock, SV=seed)
    form_root(pdf).SigFlags = 3
    pdf.Root.Perms = Dictionary(DocMDP=made.V, UR3=Dictionary(Type=Name.Sig, Name=String(text)))


def signature_without_field(pdf: pikepdf.Pdf, text: str) -> None:
    """A signature no field leads to: an old usage right, kept by its reference."""
    kept = Dictionary(Type=Name.Sig, Filter=Name("/Adobe.PPKLite"), Contents=String(text.encode()), Name=String(text))
    pdf.Root[f"/Old{len(text)}"] = pdf.make_indirect(kept)


def security_store(pdf: pikepdf.Pdf, text: str) -> None:
    certificate = _stream(pdf, b"\x30\x82\x01\x00\x06\x03\x55\x04\x03\x0c\x0e" + text.encode() + b"\xff" * 20)
    wide = _stream(pdf, b"\x30\x82\x1e\x1c" + text.encode("utf-16-be") + b"\xff" * 20)
    known = Dictionary(Cert=Array([certificate]), OCSP=Array([wide]))
    pdf.Root.DSS = Dictionary(Certs=Array([certificate]), OCSPs=Array([wide]), VRI=Dictionary({"/AB12": known}))


def _element(pdf: pikepdf.Pdf, **entries: Any) -> Any:
    if "/StructTreeRoot" not in pdf.Root:
        pdf.Root.StructTreeRoot = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, K=Array()))
    root = pdf.Root.StructTreeRoot
    made = Dictionary(Type=Name.StructElem, S=Name.P, P=root, Pg=pdf.pages[1].obj, K=0, **entries)
    root.K.append(pdf.make_indirect(made))
    return root.K[-1]


def structure_texts(pdf: pikepdf.Pdf, text: str) -> None:
    _element(
        pdf,
        ActualText=String(text),
        E=String(f"short for {text}"),
        T=String(text),
        ID=String(text),
        Lang=String(text),
        PhoneticAlphabet=Name("/x-sampa"),
        Phoneme=String(text),
    )


def structure_properties(pdf: pikepdf.Pdf, text: str) -> None:
    item = Dictionary(N=String("who"), V=String(text), F=String(f"({text})"))
    _element(pdf, A=Dictionary(O=Name("/UserProperties"), P=Array([item])), C=Name("/" + _under(text)))


def structure_roles(pdf: pikepdf.Pdf, text: str) -> None:
    _element(pdf)
    root = pdf.Root.StructTreeRoot
    name = "/" + _under(text)
    root.RoleMap = Dictionary({name: Name.P})
    root.ClassMap = Dictionary({name: Dictionary(O=Name.Layout)})
    root.Namespaces = Array([Dictionary(Type=Name("/Namespace"), NS=String(f"http://x.example/{text}"))])
    root.IDTree = Dictionary(Names=Array([String(text), root.K[0]]), Limits=Array([String(text), String(text)]))


def structure_files(pdf: pikepdf.Pdf, text: str) -> None:
    held = _stream(pdf, f"<math><mi>{text}</mi></math>".encode(), Type=Name("/EmbeddedFile"))
    _element(pdf, AF=Array([Dictionary(Type=Name.Filespec, F=String("a.xml"), EF=Dictionary(F=held))]))


def beads(pdf: pikepdf.Pdf, text: str) -> None:
    page = pdf.pages[1].obj
    bead = pdf.make_indirect(Dictionary(Type=Name("/Bead"), P=page, R=Array([0, 0, 9, 9])))
    thread = pdf.make_indirect(Dictionary(Type=Name("/Thread"), F=bead, I=Dictionary(Title=String(f"On {text}"))))
    bead.T, bead.N, bead.V = thread, bead, bead
    page.B = Array([bead])
    pdf.Root.Threads = Array([thread])


def thumbnail(pdf: pikepdf.Pdf, text: str) -> None:
    row = text.encode().ljust(16, b"\0")
    pdf.pages[1].Thumb = _stream(pdf, row, Width=16, Height=1, ColorSpace=Name.DeviceGray, BitsPerComponent=8)


def page_dates(pdf: pikepdf.Pdf, text: str) -> None:
    pdf.pages[1].LastModified = String(f"D:2020 {text}")
    pdf.pages[1].PieceInfo = Dictionary(App=Dictionary(LastModified=String(text), Private=String(text)))


def layer_details(pdf: pikepdf.Pdf, text: str) -> None:
    usage = Dictionary(
        CreatorInfo=Dictionary(Creator=String(text), Subtype=Name("/" + _under(text))),
        User=Dictionary(Type=Name("/Ind"), Name=Array([String(text)])),
        Language=Dictionary(Lang=String(text)),
    )
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Layer"), Usage=usage))
    order = Array([String(f"Folder {text}"), group])
    state = Dictionary(Name=String(f"State of {text}"), Creator=String(text), Order=order)
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=state, Configs=Array([state]))


def output_intent(pdf: pikepdf.Pdf, text: str) -> None:
    record = b"mluc\0\0\0\0\0\0\0\x01\0\0\0\x0cenUS\0\0\0\x1c\0\0\0\x1c" + text.encode("utf-16-be")
    profile = b"\0\0\2\0lcms\4\x30\0\0mntrRGB XYZ " + bytes(100) + b"desc" + text.encode() + bytes(60) + record
    intent = Dictionary(
        Type=Name("/OutputIntent"),
        S=Name("/GTS_PDFA1"),
        OutputConditionIdentifier=String(text),
        Info=String(f"made by {text}"),
        RegistryName=String(f"http://{_under(text)}.example"),
        DestOutputProfile=_stream(pdf, profile, N=3),
    )
    pdf.Root.OutputIntents = Array([intent])


def viewer_addresses(pdf: pikepdf.Pdf, text: str) -> None:
    pdf.Root.URI = Dictionary(Base=String(f"http://x.example/{text.replace(' ', '%20')}/"))


def web_capture(pdf: pikepdf.Pdf, text: str) -> None:
    command = pdf.make_indirect(Dictionary(URL=String(f"http://x.example/?q={text}"), P=String(text)))
    pdf.Root.SpiderInfo = Dictionary(V=1, C=Array([command]))
    content = Dictionary(Type=Name("/SpiderContentSet"), S=Name("/SPS"), SI=Dictionary(AU=String(text)), T=String(text))
    names(pdf, "/IDS").extend([String(b"\1" * 16), content])
    names(pdf, "/URLS").extend([String(f"http://x.example/{text}"), content])


def name_limits(pdf: pikepdf.Pdf, text: str) -> None:
    leaf = Dictionary(
        Limits=Array([String(text), String(text)]),
        Names=Array([String(text), Dictionary(D=Array([pdf.pages[1].obj, Name.Fit]))]),
    )
    middle = Dictionary(Limits=Array([String(text), String(text)]), Kids=Array([pdf.make_indirect(leaf)]))
    if "/Names" not in pdf.Root:
        pdf.Root.Names = Dictionary(Dests=Dictionary(Kids=Array()))
    pdf.Root.Names.Dests.Kids.append(pdf.make_indirect(middle))


def template_pages(pdf: pikepdf.Pdf, text: str) -> None:
    content = Stream(pdf, f"BT /F9 12 Tf ({text}) Tj ET".encode())
    page = Dictionary(Type=Name("/Template"), MediaBox=Array([0, 0, 9, 9]), Contents=pdf.make_indirect(content))
    names(pdf, "/Templates").extend([String("form"), pdf.make_indirect(page)])


def named_looks(pdf: pikepdf.Pdf, text: str) -> None:
    look = pdf.make_indirect(form(pdf, f"BT /F9 9 Tf ({text}) Tj ET".encode()))
    names(pdf, "/AP").extend([String(text), look])


def presentations(pdf: pikepdf.Pdf, text: str) -> None:
    show = Dictionary(Type=Name("/SlideShow"), Subtype=Name.Embedded, StartResource=String(text))
    names(pdf, "/AlternatePresentations").extend([String(text), show])


def media(pdf: pikepdf.Pdf, text: str) -> None:
    clip = Dictionary(
        Type=Name("/MediaClip"), S=Name("/MCD"), N=String(text), Alt=Array([String("en"), String(text)]), D=String("a")
    )
    show = Dictionary(Type=Name.Rendition, S=Name("/MR"), N=String(text), C=clip)
    names(pdf, "/Renditions").extend([String(text), pdf.make_indirect(show)])
    annotate(pdf, 1, Subtype=Name.Screen, T=String(text), A=Dictionary(S=Name.Rendition, R=show, JS=String(text)))


def rich_media(pdf: pikepdf.Pdf, text: str) -> None:
    asset = Dictionary(
        Type=Name.Filespec,
        F=String("film.swf"),
        EF=Dictionary(F=_stream(pdf, b"FWS\x09" + text.encode() + b"\0\1\2\xff")),
    )
    content = Dictionary(
        Assets=Dictionary(Names=Array([String(text), asset])),
        Configurations=Array(
            [
                Dictionary(
                    Name=String(text), Instances=Array([Dictionary(Params=Dictionary(FlashVars=String(f"who={text}")))])
                )
            ]
        ),
    )
    annotate(pdf, 1, Subtype=Name("/RichMedia"), RichMediaContent=content)


def solid(pdf: pikepdf.Pdf, text: str) -> None:
    data = b"U3D\0\x18\0\0\0" + text.encode() + bytes(30)
    view = Dictionary(Type=Name("/3DView"), XN=String(f"View of {text}"), IN=String(text))
    model = _stream(pdf, data, Type=Name("/3D"), Subtype=Name.U3D, VA=Array([view]))
    model.OnInstantiate = _stream(pdf, f"console.println('{text}')".encode())
    annotate(pdf, 1, Subtype=Name("/3D"), Contents=String("model"), **{"3DD": model})


def sound(pdf: pikepdf.Pdf, text: str) -> None:
    annotate(
        pdf,
        1,
        Subtype=Name.Sound,
        Sound=_stream(pdf, b"\x80" * 9 + text.encode() + b"\x80" * 9, R=8000, Type=Name.Sound),
    )


def movie(pdf: pikepdf.Pdf, text: str) -> None:
    poster = _stream(
        pdf,
        text.encode().ljust(20, b"\1"),
        Subtype=Name.Image,
        Width=20,
        Height=1,
        BitsPerComponent=8,
        ColorSpace=Name.DeviceGray,
    )
    annotate(pdf, 1, Subtype=Name.Movie, T=String(text), Movie=Dictionary(F=String(f"{text}.avi"), Poster=poster))


def search_index(pdf: pikepdf.Pdf, text: str) -> None:
    words = b"\0\1\2" + b"\0".join(word.encode() for word in [text, *text.split()]) + b"\xfe\xff"
    pdf.Root.PieceInfo = Dictionary(SearchIndex=Dictionary(Private=_stream(pdf, words), LastModified=String("D:2020")))


def actions(pdf: pikepdf.Pdf, text: str) -> None:
    remote = Dictionary(S=Name("/GoToE"), F=String(f"{text}.pdf"), T=Dictionary(R=Name.C, N=String(text)))
    launch = Dictionary(S=Name.Launch, F=String(text), Win=Dictionary(F=String(f"{text}.exe"), P=String(f"/to {text}")))
    submit = Dictionary(
        S=Name.SubmitForm, F=Dictionary(FS=Name.URL, F=String(f"http://x.example/{text}")), Fields=Array([String(text)])
    )
    hide = Dictionary(S=Name.Hide, T=Array([String(text)]), Next=Array([submit, launch]))
    thread = Dictionary(S=Name.Thread, D=String(text), F=String(text), Next=hide)
    annotate(
        pdf,
        1,
        Subtype=Name.Link,
        A=Dictionary(S=Name.GoToR, F=String(text), D=String(text), Next=thread),
        PA=Dictionary(S=Name.URI, URI=String(text)),
    )
    pdf.Root.AA = Dictionary(WC=_script(text), WS=remote)
    pdf.pages[1].AA = Dictionary(O=Dictionary(S=Name.Named, N=Name("/" + _under(text))), C=_script(text))
    pdf.Root.OpenAction = remote


def catalogue(pdf: pikepdf.Pdf, text: str) -> None:
    pdf.Root.Lang = String(text)
    pdf.Root.Legal = Dictionary(Attestation=String(text))
    pdf.Root.Extensions = Dictionary({"/" + _under(text): Dictionary(BaseVersion=Name("/1.7"), URL=String(text))})
    pdf.Root.Requirements = Array(
        [Dictionary(S=Name("/EnableJavaScripts"), RH=Dictionary(S=Name("/JS"), Script=String(text)))]
    )
    pdf.Root.DPartRoot = Dictionary(DPartRootNode=Dictionary(DPM=Dictionary({"/" + _under(text): String(text)})))


def geography(pdf: pikepdf.Pdf, text: str) -> None:
    place = Dictionary(Type=Name("/GEOGCS"), WKT=String(f'GEOGCS["{text}"]'))
    units = Dictionary(Type=Name("/NumberFormat"), U=String(text), PS=String(text))
    pdf.pages[1].VP = Array(
        [
            Dictionary(
                Type=Name.Viewport,
                BBox=Array([0, 0, 9, 9]),
                Name=String(text),
                Measure=Dictionary(Subtype=Name("/GEO"), GCS=place, X=Array([units])),
            )
        ]
    )


def associated_file(pdf: pikepdf.Pdf, text: str) -> None:
    held = _stream(
        pdf,
        f"id,{text}\r\n".encode(),
        Type=Name("/EmbeddedFile"),
        Subtype=Name("/text#2fcsv"),
        Params=Dictionary(CheckSum=String(b"0" * 16)),
    )
    pdf.pages[1].AF = Array(
        [
            Dictionary(
                Type=Name.Filespec,
                F=String("rows.csv"),
                UF=String("rows.csv"),
                EF=Dictionary(F=held),
                AFRelationship=Name.Data,
            )
        ]
    )


def related_files(pdf: pikepdf.Pdf, text: str) -> None:
    held = _stream(pdf, b"harmless\n")
    more = _stream(pdf, f"chapter on {text}\n".encode())
    names(pdf, "/EmbeddedFiles").extend(
        [
            String("a.txt"),
            Dictionary(
                Type=Name.Filespec,
                F=String("a.txt"),
                EF=Dictionary(F=held),
                RF=Dictionary(F=Array([String(f"{text}.txt"), more])),
            ),
        ]
    )


def font_names(pdf: pikepdf.Pdf, text: str) -> None:
    name = Name("/ABCDEF+" + _under(text))
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=name, Flags=4, FontFamily=String(text), CharSet=String("/" + _under(text))
    )
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=name, Name=name, FontDescriptor=descriptor)
    resource(pdf, "/Font", pdf.make_indirect(font))


def font_map(pdf: pikepdf.Pdf, text: str) -> None:
    """A font nobody uses whose map gives the whole value for one code."""
    digits = text.encode("utf-16-be").hex()
    held = f"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <01> <{digits}> endbfchar".encode()
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, ToUnicode=_stream(pdf, held))
    resource(pdf, "/Font", pdf.make_indirect(font))


def font_map_comment(pdf: pikepdf.Pdf, text: str) -> None:
    held = f"% made for {text}\n/CMapName /{_under(text)} def 1 begincodespacerange <00> <ff> endcodespacerange"
    system = Dictionary(Registry=String(text), Ordering=String(text), Supplement=0)
    stream = _stream(pdf, held.encode(), Type=Name.CMap, CMapName=Name("/" + _under(text)), CIDSystemInfo=system)
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, ToUnicode=stream)
    resource(pdf, "/Font", pdf.make_indirect(font))


def type1_notice(pdf: pikepdf.Pdf, text: str) -> None:
    program = (
        f"%!PS-AdobeFont-1.0: Own\n/Notice (Drawn by {text}) readonly def\n/FontName /Own def\ncurrentfile eexec\n"
    )
    held = _stream(pdf, program.encode() + bytes(range(128, 255)) * 3, Length1=len(program), Length2=381, Length3=0)
    descriptor = Dictionary(Type=Name.FontDescriptor, FontName=Name("/Own"), Flags=4, FontFile=held)
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/Own"), FontDescriptor=descriptor)
    resource(pdf, "/Font", pdf.make_indirect(font))


def glyph_names(pdf: pikepdf.Pdf, text: str) -> None:
    """A Type 3 font whose glyphs are named after the value and whose drawings show it."""
    name = "/" + _under(text)
    inner = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    glyph = _stream(pdf, f"500 0 d0 BT /F9 1 Tf ({text}) Tj ET".encode())
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type3,
        FontBBox=Array([0, 0, 9, 9]),
        FontMatrix=Array([0.1, 0, 0, 0.1, 0, 0]),
        CharProcs=Dictionary({name: glyph}),
        Encoding=Dictionary(Differences=Array([65, Name(name)])),
        FirstChar=65,
        LastChar=65,
        Widths=Array([5]),
        Resources=Dictionary(Font=Dictionary(F9=inner)),
    )
    resource(pdf, "/Font", pdf.make_indirect(font))


def colour_names(pdf: pikepdf.Pdf, text: str) -> None:
    name = Name("/" + _under(text))
    tint = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0]), C1=Array([1]), N=1)
    spot = Array([Name.Separation, name, Name.DeviceGray, tint])
    mixed = Array(
        [Name.DeviceN, Array([name]), Name.DeviceGray, tint, Dictionary(Colorants=Dictionary({str(name): spot}))]
    )
    resource(pdf, "/ColorSpace", mixed)


def screens(pdf: pikepdf.Pdf, text: str) -> None:
    program = _stream(pdf, f"{{ % {text}\n pop }}".encode(), FunctionType=4, Domain=Array([0, 1]), Range=Array([0, 1]))
    tone = Dictionary(
        Type=Name("/Halftone"),
        HalftoneType=1,
        HalftoneName=String(text),
        Frequency=9,
        Angle=0,
        SpotFunction=Name.Round,
        TransferFunction=program,
    )
    resource(pdf, "/ExtGState", Dictionary(Type=Name.ExtGState, HT=tone, TR=program))


def soft_mask(pdf: pikepdf.Pdf, text: str) -> None:
    group = form(pdf, f"BT /F9 9 Tf ({text}) Tj ET".encode())
    group.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
    mask = Dictionary(Type=Name.Mask, S=Name.Luminosity, G=pdf.make_indirect(group))
    key = resource(pdf, "/ExtGState", Dictionary(Type=Name.ExtGState, SMask=mask))
    pdf.pages[1].contents_add(Stream(pdf, f"q {key} gs 0 0 9 9 re f Q".encode()))


def form_details(pdf: pikepdf.Pdf, text: str) -> None:
    made = form(pdf, b"q Q")
    made.PieceInfo = Dictionary(App=Dictionary(Private=String(text)))
    made.OPI = Dictionary({"/1.3": Dictionary(F=String(f"{text}.tif"), Comments=String(text))})
    made.Ref = Dictionary(F=String(f"{text}.pdf"), Page=1, ID=Array([String(text), String(text)]))
    made.Name = Name("/" + _under(text))
    resource(pdf, "/XObject", pdf.make_indirect(made))


def postscript(pdf: pikepdf.Pdf, text: str) -> None:
    resource(pdf, "/XObject", _stream(pdf, f"({text}) show".encode(), Type=Name.XObject, Subtype=Name.PS))


def file_names(pdf: pikepdf.Pdf, text: str) -> None:
    held = _stream(pdf, b"harmless\n")
    spec = Dictionary(
        Type=Name.Filespec,
        F=String(f"{text}.txt"),
        UF=String(f"{text}.txt"),
        DOS=String(text),
        Mac=String(text),
        Unix=String(text),
        Desc=String(f"about {text}"),
        EF=Dictionary(F=held, UF=held),
        Thumb=_stream(pdf, text.encode()),
    )
    held.Params = Dictionary(Mac=Dictionary(ResFork=_stream(pdf, text.encode())))
    names(pdf, "/EmbeddedFiles").extend([String(f"{text}.txt"), spec])


def trailer(pdf: pikepdf.Pdf, text: str) -> None:
    pdf.trailer[f"/Note{_under(text)}"] = String(text)
    pdf.trailer.ID = Array([String(text), String(text)])


PLACES = {
    function.__name__: Place(function, twin=twin, keep=keep)
    for function, twin, keep in (
        (field_names, True, False),
        (field_parent_name, True, False),
        (field_caption, False, False),
        (field_options, False, False),
        (field_streams, False, False),
        (button_states, True, False),
        (field_scripts, False, False),
        (field_default_look, True, False),
        (form_resources, False, False),
        (xfa_stream, False, False),
        (xfa_entities, False, False),
        (signature, False, False),
        (signature_without_field, False, False),
        (security_store, False, False),
        (structure_texts, True, False),
        (structure_properties, True, False),
        (structure_roles, False, False),
        (structure_files, False, False),
        (beads, False, False),
        (thumbnail, False, False),
        (thumbnail, False, True),
        (page_dates, False, True),
        (layer_details, False, False),
        (output_intent, False, False),
        (viewer_addresses, False, False),
        (web_capture, False, True),
        (name_limits, True, False),
        (template_pages, False, False),
        (named_looks, True, False),
        (presentations, True, False),
        (media, True, False),
        (rich_media, False, False),
        (solid, True, False),
        (sound, True, False),
        (movie, True, False),
        (search_index, False, True),
        (actions, True, False),
        (catalogue, False, False),
        (geography, False, False),
        (associated_file, False, False),
        (related_files, False, False),
        (font_names, True, False),
        (font_map, True, False),
        (font_map_comment, True, False),
        (type1_notice, True, False),
        (glyph_names, True, False),
        (colour_names, True, False),
        (screens, True, False),
        (soft_mask, True, False),
        (form_details, True, False),
        (postscript, True, False),
        (file_names, True, False),
        (trailer, True, False),
    )
}
"""Where, whether the neighbour stays, whether metadata is kept."""


@pytest.mark.parametrize("name", PLACES)
def test_a_value_is_gone_from_an_object(name: str) -> None:
    check(PLACES[name])
