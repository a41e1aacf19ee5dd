"""Amounts tied to a person: pay, income, rent, balances and loans, in eight languages."""

from __future__ import annotations

import pytest

from tests.detection.patterns import found, unmarked

FOUND = [
    "She earns «£54,000» a year.",
    "He earned «$120,000» last year",
    "Base pay: «$85,000.00»",
    "Net pay «£2,310.44»",
    "Gross pay: «2,310.44 EUR»",
    "Hourly rate: «$32.50»",
    "annual income of «€48,000»",
    "Monthly rent: «€950»",
    "Er verdient «4.200 €» im Monat",
    "Nettolohn: «2.310,44 €»",
    "Bruttogehalt «4.200,00 EUR»",
    "Jahreseinkommen: «58.000 €»",
    "Elle gagne «2 450 €» par mois",
    "Revenu annuel : «32 000 €»",
    "salaire net «1 950,00 €»",
    "gana «1.800 €» al mes",
    "Ingresos anuales: «24.000 €»",
    "nómina: «1.950,00 €»",
    "guadagna «1.800 €» al mese",
    "reddito annuo: «€ 28.000»",
    "busta paga: «€ 1.650,00»",
    "verdient «€ 3.200» per maand",
    "inkomen: «€ 42.000»",
    "ganha «R$ 4.500,00» por mês",
    "renda mensal: «R$ 5.200»",
    "zarabia «6 500 zł» miesięcznie",
    "dochód roczny: «78 000 zł»",
    "outstanding balance of «$1,204.77»",
    "Loan amount: «$250,000»",
    "Credit limit: «£5,000»",
    "a bonus of «$10,000»",
    "severance of «€25,000»",
    "saldo disponible: «1.204,77 €»",
    "solde du compte : «1 204,77 €»",
    "saldo konta: «1 204,77 zł»",
    "His salary rose to «£1.2 million».",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(marked: str) -> None:
    text, values = unmarked(marked)
    assert found(text) == values


NONE = [
    "The company earned $3.2 billion in 2023.",
    "He earned a reputation for buying coffee at $5",
    "Total: 54,000 EUR, price 12.50 USD",
    "The loan desk opens at 9; the salary review is in May 2024",
    "Net income of the group rose by 12%",
    "la nómina 2024 del personal",
]


@pytest.mark.parametrize("text", NONE)
def test_look_alikes(text: str) -> None:
    assert found(text) == []
