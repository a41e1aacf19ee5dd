"""A word that is a name here and a common word there is judged by its place, in every language names are found in."""

from __future__ import annotations

import pytest

from anonify.detection import detect_text
from anonify.detection.homographs import Judge, small_words

from .test_training_sentences import documents_runs, runs

# who is in the document, a sentence with * before the word that is a common word there
COMMON = [
    ("Mr Mark Weber opened the box.", "*Mark the box beside each answer."),
    ("Mr Mark Weber opened the box.", "*Mark all boxes that fit."),
    ("Mr Will Turner wrote to the landlord.", "*Will the landlord answer?"),
    ("Mr Will Turner wrote to the landlord.", "*Will you pay the rent?"),
    ("Mrs Grace Holden owes two months.", "*Grace period ends tomorrow."),
    ("Mrs Theresa May owes two months.", "*May we pay later?"),
    ("Mrs Theresa May owes two months.", "The lease ended in *May last year."),
    ("Mrs Theresa May owes two months.", "The lease ended on 3 *May last year."),
    ("Mr Peter Young teaches here.", "*Young people like the course."),
    ("Mr Bill Carter teaches here.", "*Bill of lading enclosed."),
    ("Mr Jonas Field teaches here.", "*Field 7 must be empty."),
    ("Mr Oliver Park teaches here.", "The *Park is closed on Mondays."),
    ("Mr Jan de Hoop sails a boat.", "We stayed two nights at The *Hoop by the canal."),
    ("Ms Rose Miller sails a boat.", "*Rose petals lay on the deck."),
    ("Frau Anna Klein hat einen Hund.", "Der Hund der Nachbarin ist *Klein."),
    ("Frau Anna Klein hat einen Hund.", "Der Garten dahinter war *Klein und dunkel."),
    ("Herr Otto Koch zahlt bar.", "Der *Koch brachte die Suppe."),
    ("Frau Eva Sommer zahlt bar.", "Im *Sommer ruht der Betrieb."),
    ("Frau Eva Sommer zahlt bar.", "Der *Sommer war nass."),
    ("Herr Karl Wolf zahlt bar.", "Ein *Wolf lief über die Wiese."),
    ("Herr Karl Stein zahlt bar.", "Der *Stein fiel ins Wasser."),
    ("Monsieur Luc Petit habite Lyon.", "*Petit à petit, la maison se vide."),
    ("Monsieur Luc Petit habite Lyon.", "*Petit déjeuner compris dans le prix."),
    ("Madame Anne Roche habite Lyon.", "La *Roche est dure par endroits."),
    ("Monsieur Paul Marchand habite Lyon.", "Le *Marchand ferme à midi."),
    ("Señora María La Rosa vive en Sevilla.", "La *Rosa es bonita en mayo."),
    ("Señora Luz Prieto vive en Sevilla.", "*Luz y agua van aparte."),
    ("Señor Pablo Cruz vive en Sevilla.", "La *Cruz del cerro es de hierro."),
    ("Señora Ana Flores vive en Sevilla.", "Las *Flores del patio se secaron."),
    ("Signora Carla Fiore abita a Bari.", "Il *Fiore del mandorlo cade presto."),
    ("Signor Luigi Monti abita a Bari.", "I *Monti sono coperti di neve."),
    ("Signora Gioia Serra abita a Bari.", "La *Serra del vivaio è calda."),
    ("Meneer Piet Bakker woont in Gouda.", "De *Bakker om de hoek is dicht."),
    ("Meneer Piet Berg woont in Gouda.", "De *Berg is hoog en steil."),
    ("Mevrouw Els Molen woont in Gouda.", "De *Molen is te koop."),
    ("Senhora Rita da Costa mora em Faro.", "A *Costa é bonita no inverno."),
    ("Senhora Ana Porto mora em Faro.", "O *Porto Franco fica longe daqui."),
    ("Senhor Rui Pinheiro mora em Faro.", "O *Pinheiro do quintal caiu."),
    ("Pan Jan Wilk mieszka w Gdyni.", "Ten *Wilk jest stary."),
    ("Pani Maria Lis mieszka w Gdyni.", "Każdy *Lis zna las."),
    ("Pani Anna Sowa mieszka w Gdyni.", "Ta *Sowa jest z drewna."),
    ("Mr Deep Singh runs a shop in Pune.", "*Deep water behind the fence."),
    ("Ms Asha Jain runs a shop in Pune.", "*Jain temples are nearby."),
]

# the same, with * before the word that is a name there
NAMES = [
    ("Mr. Will Turner wrote to the landlord.", "*Will was late with the rent."),
    ("Mr. Will Turner wrote to the landlord.", "The landlord then asked *Will about the keys."),
    ("Mr Mark Weber opened the box.", "*Mark said the box was empty."),
    ("Mr Mark Weber opened the box.", "Nobody but *Mark had a key."),
    ("Mrs May owes two months.", "*May called again at noon."),
    ("Mrs Theresa May owes two months.", "*May called again at noon."),
    ("Mrs Grace Holden owes two months.", "*Grace paid in cash."),
    ("Mr Peter Young teaches here.", "We have seen *Young twice since."),
    ("Mr Bill Carter teaches here.", "*Bill’s classroom is upstairs."),
    ("Mrs Joy Baker teaches here.", "The pupils gave *Joy a card."),
    ("Mr Frank Hill teaches here.", "*Frank and Peter left early."),
    ("Frau Anna Klein hat einen Hund.", "*Klein sagte, er beiße nicht."),
    ("Frau Anna Klein hat einen Hund.", "Dort wohnt *Klein mit ihrem Hund."),
    ("Herr Otto Koch zahlt bar.", "*Koch hat die Quittung behalten."),
    ("Herr Karl Wolf zahlt bar.", "Danach rief *Wolf den Notar an."),
    ("Frau Eva Sommer zahlt bar.", "*Sommer bestätigte den Empfang."),
    ("Monsieur Luc Petit habite Lyon.", "*Petit a signé le bail."),
    ("Monsieur Luc Petit habite Lyon.", "Le gardien a vu *Petit dans la cour."),
    ("Madame Anne Roche habite Lyon.", "*Roche demande un délai."),
    ("Señora Luz Prieto vive en Sevilla.", "*Luz llamó dos veces."),
    ("Señor Pablo Cruz vive en Sevilla.", "El portero habló con *Cruz en la entrada."),
    ("Señora Ana Flores vive en Sevilla.", "*Flores firmó sin leer."),
    ("Signora Carla Fiore abita a Bari.", "*Fiore ha pagato la caparra."),
    ("Signor Luigi Monti abita a Bari.", "Il notaio aspetta *Monti in studio."),
    ("Meneer Piet Bakker woont in Gouda.", "*Bakker belde de makelaar."),
    ("Meneer Piet Berg woont in Gouda.", "De notaris vroeg *Berg om uitleg."),
    ("Mevrouw Ans de Jonge woont in Gouda.", "Volgens de buurman heeft mevrouw de *Jonge een hond."),
    ("Mr Peter Young teaches here.", "She says that *Young left at noon."),
    ("Senhora Rita da Costa mora em Faro.", "*Costa assinou o contrato."),
    ("Senhora Ana Porto mora em Faro.", "O vizinho chamou *Porto ontem."),
    ("Pan Jan Wilk mieszka w Gdyni.", "*Jan przyszedł po klucze."),
    ("Pan Jan Wilk mieszka w Gdyni.", "*Wilk zadzwonił do gminy."),
    ("Pani Maria Lis mieszka w Gdyni.", "*Lis napisała skargę."),
    ("Mr Deep Singh runs a shop in Pune.", "*Deep opened the shutters."),
    ("Ms Asha Jain runs a shop in Pune.", "The supplier trusts *Jain completely."),
]


def found_there(who: str, sentence: str) -> bool:
    before, _, after = sentence.partition("*")
    place = len(who) + 1 + len(before)
    return any(
        one.start <= place < one.end for one in detect_text(f"{who} {before}{after}") if one.category == "person"
    )


@pytest.mark.parametrize(("who", "sentence"), COMMON)
def test_a_common_word_is_left(who: str, sentence: str) -> None:
    assert not found_there(who, sentence)


@pytest.mark.parametrize(("who", "sentence"), NAMES)
def test_a_name_is_found(who: str, sentence: str) -> None:
    assert found_there(who, sentence)


def test_no_case_shares_four_words_with_a_development_document() -> None:
    measured = documents_runs()
    cases = {part for who, sentence in [*COMMON, *NAMES] for part in (who, sentence.replace("*", ""))}
    assert {case for case in cases if runs(case) & measured} == set()


def test_the_documents_own_small_words_are_judged_and_those_of_addresses_are_not() -> None:
    small = small_words("The blarney stone; write to maria.keller@example.org or see x.org/holloway and o'dowd.")
    assert small == {"blarney", "stone", "write", "see", "and"}
    judge = Judge.speaking(("en",), small)
    assert judge.doubts("Blarney")
    assert not judge.doubts("Holloway")
    assert judge.is_name("We asked Blarney twice.", 9, 16, None)
    assert not judge.is_name("The Blarney of the town.", 4, 11, None)


def test_a_name_that_is_no_other_word_needs_no_evidence() -> None:
    assert found_there("Mrs Ann Holloway signed.", "The *Holloway file is closed.")
