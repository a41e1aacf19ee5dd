"""Words that addresses are made of: kinds of street, units, American states, countries; pieces of patterns."""

from __future__ import annotations

from typing import Final

__all__ = [
    "COUNTRIES",
    "GLUED",
    "MONTHS",
    "NUMBERLESS",
    "SMALL_TYPE",
    "STATES",
    "TYPE_FIRST",
    "TYPE_LAST",
    "UNIT",
    "UPPER",
]

UPPER: Final = "A-ZÀ-ÖØ-ÞĀ-ſΆ-ΫА-Я"
"""Capitals for a character class of `re`, which knows no \\p{Lu}; Latin Extended-A whole: its cases alternate."""

STATES: Final = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|"
    "OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|PR|GU|VI|AS|MP|FM|MH|PW|AA|AE|AP"
    "|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|"
    "Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota"
    "|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North "
    "Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota"
    "|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming"
)
"""Codes and names that stand before an American postcode (USPS Publication 28, appendix B)."""

TYPE_FIRST: Final = (
    r"(?:rue|avenue|av\.?|ave\.?|avda\.?|avd\.?|boulevard|bd\.?|blvd|chemin|impasse|allée|place|pl\.?|quai|"
    r"cours|route|rte|square|passage|villa|faubourg|venelle|sentier|esplanade|montée|calle|c\./|c/\.?|cl\.?|carrer|"
    r"plaza|plaça|pza\.?|pz\.?|paseo|pasaje|pasadizo|passeig|pg\.?|pje\.?|pº|camino|cmno|cuesta|bulevar|vía|via|"
    r"carretera|ctra\.?|crta\.?|carrera|cra\.?|transversal|diagonal|avinguda|autovía|costanera|jirón|"
    r"ronda|glorieta|travesía|rúa|urbanización|urb\.?|alameda|callejón|viale|piazza|piazzetta|"
    r"piazzale|corso|vicolo|largo|strada|contrada|borgo|lungomare|vico|salita|galleria|incrocio|canale|"
    r"stretto|rotonda|rua|avenida|travessa|praça|estrada|rodovia|quadra|condomínio|vila|ladeira|viela|beco|núcleo|"
    r"residencial|setor|sítio|trecho|trevo|vale|viaduto|vereda|pátio|parque|passarela|praia|recanto|"
    r"jardim|lagoa|lago|loteamento|morro|favela|feira|fazenda|estação|esplanada|distrito|conjunto|colônia|"
    r"chácara|campo|aeroporto|área|acesso|acceso|ul\.?|ulica|aleja|al\.|aleje|plac|os\.|osiedle|rondo|bulwar|skwer|"
    r"pasaż|résidence|immeuble|lotissement|hameau|(?:stra(?:ß|ss)e|platz|allee) d(?:es|er))"
)
"""Kinds of street that stand before the name."""

TYPE_LAST: Final = (
    r"(?:street|st|str|road|rd|avenue|ave|av|boulevard|blvd|drive|dr|lane|ln|court|ct|place|pl|square|sq|terrace|"
    r"ter|way|circle|cir|parkway|pkwy|highway|hwy|trail|trl|close|crescent|cres|gardens|grove|hill|mews|"
    r"row|walk|park|plaza|loop|alley|view|vista|bypass|gateway|broadway|route|expressway|pike|run|path|ridge|"
    r"point|crossing|hollow|estate|quay|wharf|marg|nagar|chowk|ganj|zila|turnpike|parade|promenade|mall)"
)
"""Kinds of street that stand behind the name."""

GLUED: Final = (
    r"(?:stra(?:ß|ss)e|str\.?|weg|gasse|platz|allee|ring|damm|ufer|chaussee|steig|pfad|hof|stieg|graben|straat|laan|"
    r"plein|kade|gracht|singel|dijk|dreef|steeg|baan|pad|vej|gade|allé|alle|stræde|vägen|gatan|gränd|väg|veien|gata|"
    r"vegen|katu|tie|kuja|polku|utca|ulice|stræti|braut|götu)"
)
"""Kinds of street written onto the end of the name."""

UNIT: Final = (
    r"(?:flat|apt\.?|apartment|unit|suite|ste\.?|studio|room|floor|fl\.?|bldg\.?|building|block|box|msc|psc|"
    r"cmr|house|plot|lot|h\. ?no\.?|h\.? ?no\.?|p\.? ?o\.? ?box|postfach|postbus|boîte|bp|apartado|apto\.?|"
    r"appartamento|interno|piso|puerta|bajo|local|m\.|bloco|casa|etage|og|stock|hs\.|(?:flat|house|plot|shop|"
    r"door) no\.?|#)"
)
"""What a number may name inside a building, or instead of one."""

SMALL_TYPE: Final = (
    r"(?:gate|vei|veg|gata|väg|plass|plads|utca|út|útja|tér|náměstí|ulice|třída|nábřeží|trg|cesta|ulica|strada|sokak|"
    r"stra(?:ß|ss)e|weg|platz|allee)"
)
"""Kinds of street written small between the name and the number."""

NUMBERLESS: Final = r"(?:s/n\.?º?|s/nº|sn\.|s\.n\.|z/n)"
"""What is written where a house has no number."""

MONTHS: Final = (
    r"(?:Jan|Feb|Mar|Apr|May|Mai|Jun|Jul|Aug|Sep|Oct|Okt|Nov|Dec|Dez|Mär|März|Fév|Avr|Juin|Juil|Août|Ene|"
    r"Abr|Ago|Gen|Mag|Giu|Lug|Set|Ott|Dic|Mei|Out)"
)
"""How the months begin."""

COUNTRIES: Final = (
    r"(?:United States(?: of America)?|USA|United Kingdom|UK|England|Scotland|Wales|Northern Ireland|Ireland|Canada|"
    r"Australia|New Zealand|Germany|Deutschland|Austria|Österreich|Switzerland|Schweiz|Suisse|Svizzera|France|"
    r"Belgium|Belgique|België|Netherlands|Nederland|Luxembourg|Spain|España|Portugal|Italy|Italia|Poland|Polska|"
    r"Denmark|Danmark|Sweden|Sverige|Norway|Norge|Finland|Suomi|Iceland|Island|Estonia|Latvia|Lithuania|"
    r"Czech Republic|Czechia|Česko|Slovakia|Slovenia|Hungary|Magyarország|Croatia|Hrvatska|Serbia|Romania|România|"
    r"Bulgaria|Greece|Cyprus|Malta|Turkey|Türkiye|Ukraine|Israel|India|Brazil|Brasil|Mexico|México|Argentina|Chile|"
    r"Colombia|Peru|Perú|Uruguay|South Africa|Tunisia|Morocco|Egypt|Kenya|Nigeria|Japan|China|Singapore|Malaysia|"
    r"Philippines|United Arab Emirates)"
)
"""Countries as the last line of an address names them."""

DOCUMENT: Final = (
    "statement|invoice|receipt|bill|order|account|reference|ref|case|claim|policy|file|quote|quotation|letter|notice|"
    "contract|ticket|report|delivery note|credit note|purchase order|"
    "rechnung|quittung|bestellung|angebot|auftrag|vertrag|aktenzeichen|lieferschein|mahnung|\\w*auszug|beleg|"
    "facture|reçu|commande|relevé|devis|contrat|dossier|avis|"
    "factura|recibo|pedido|extracto|presupuesto|contrato|expediente|"
    "fattura|ricevuta|ordine|estratto|preventivo|contratto|pratica|"
    "factuur|bestelling|afschrift|offerte|overeenkomst|dossiernummer|"
    "fatura|encomenda|extrato|orçamento|processo|"
    "faktura|rachunek|zamówienie|wyciąg|oferta|umowa|sprawa"
)
"""Words that a document's title or reference begins with, as a piece of a pattern in lower case."""
