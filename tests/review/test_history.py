"""Acts and their undoing against a model that knows nothing of versions, on both databases."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from sqlalchemy import func, select

from anonify.database import Database, RedactionRow, documents, new_id, redactions, rules
from anonify.database.rules import RuleRow
from anonify.database.tables import act_changes
from anonify.database.tables import acts as acts_table
from anonify.review import Changes, NoSuchAct, WasUndone, Where, create_value, decide, decide_where, remove, undo
from anonify.review.history import MOST_ACTS, Act, Recording, list_acts
from anonify.review.places import TextPlace
from anonify.review.ruled import take_back
from anonify.settings import Settings

from .rows import Keys, document, fill, opened, redaction

STATUSES: Final = ("suggested", "accepted", "rejected")

State = tuple[Any, ...]


def _state(row: RedactionRow) -> State:
    return tuple(getattr(row, name) for name in RedactionRow.__slots__ if name != "version")


def _place(state: State | None) -> State:
    names = [name for name in RedactionRow.__slots__ if name != "version"]
    return () if state is None else tuple(state[names.index(name)] for name in ("page", "start", "end", "box"))


def _rows(database: Database, document_id: str) -> dict[str, State]:
    with database.connect() as connection:
        return {row.id: _state(row) for row in redactions.list_for_document(connection, document_id)}


@dataclass
class _Model:
    """What every row is, each state told apart from all others by a number of its own; -1 is not being there."""

    states: dict[str, State] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)
    acts: dict[str, dict[str, tuple[State | None, int, State | None, int]]] = field(default_factory=dict)
    undone: set[str] = field(default_factory=set)
    count: int = 0

    def note(self, act: Act | None, after: dict[str, State], touched: set[str]) -> None:
        """Something was done that left `after`."""
        changes = {}
        for name in touched:
            before = (self.states.get(name), self.marks.get(name, -1))
            self.count += 1
            mark = self.count if name in after else -1
            changes[name] = (*before, after.get(name), mark)
            self._set(name, after.get(name), mark)
        if act is not None:
            self.acts[act.id] = changes

    def _set(self, name: str, state: State | None, mark: int) -> None:
        if state is None:
            self.states.pop(name, None)
            self.marks.pop(name, None)
        else:
            self.states[name], self.marks[name] = state, mark

    def undo(self, act_id: str) -> tuple[int, int, dict[str, tuple[State | None, int, State | None, int]]]:
        done = {}
        # What comes back comes last: its place must be free by then.
        changes = sorted(self.acts[act_id].items(), key=lambda change: change[1][3] == -1)
        for name, (before, mark, after, mark_after) in changes:
            free = after is not None or _place(before) not in map(_place, self.states.values())
            if self.marks.get(name, -1) == mark_after and free:
                done[name] = (after, mark_after, before, mark)
                self._set(name, before, mark)
        return len(done), len(self.acts[act_id]) - len(done), done


def _play(database: Database, seed: int, steps: int) -> None:
    dice = random.Random(seed)  # a test's dice
    row = document()
    rule = _rule(row.id)
    fill(database, row, (redaction(row.id, f"N{n % 7}", page=n % 4 + 1, start=n * 10) for n in range(30)))
    with database.begin() as connection:
        rules.insert(connection, rule)
    model = _Model(states=_rows(database, row.id))
    model.marks = dict.fromkeys(model.states, 0)
    spots = iter(range(1_000, 100_000, 10))
    for _ in range(steps):
        now = dice.randrange(100, 200)
        what = dice.choice(("ids", "where", "where", "remove", "mark", "undo", "undo", "undo", "elsewhere", "redetect"))
        ids = dice.sample(sorted(model.states), min(len(model.states), dice.randrange(1, 6)))
        if what == "undo":
            _undo(database, row.id, model, dice, now)
        else:
            with database.begin() as connection:
                documents.lock(connection, row.id)
                before = _versions(connection, row.id)
                act: Act | None = None
                if what == "ids" and ids:
                    said: dict[str, Any] = {
                        "status": dice.choice(STATUSES),
                        "method": dice.choice(("mask", "tokenize", None)),
                    }
                    act = decide(connection, row.id, ids, now_ms=now, **said).act
                elif what == "where":
                    where = Where(page=dice.choice((1, 2, None)), status=dice.choice(STATUSES))
                    change = Changes(status=dice.choice(STATUSES), category=dice.choice(("email", None)), reason="b(6)")
                    act = decide_where(connection, row.id, where, change, now_ms=now)
                elif what == "remove" and ids:
                    act = remove(connection, row.id, ids, now_ms=now)[1]
                elif what == "mark":
                    places = [(TextPlace(1, spot, spot + 2), "ab") for spot in (next(spots), dice.randrange(3) * 40)]
                    recording = Recording(connection, row.id, "mark", now_ms=now)
                    create_value(recording, Keys(), "ab", places, now_ms=now)
                    act = recording.done()
                elif what == "elsewhere" and ids:  # a decision over a whole batch, or a rule's
                    redactions.update_many(connection, row.id, ids, status="accepted", touched=True)
                elif what == "redetect":
                    redactions.delete_untouched(connection, row.id, "detection")
                    redactions.insert_many(connection, [redaction(row.id, "new", page=9, start=next(spots))])
                after = _versions(connection, row.id)
            touched = {name for name in {*before, *after} if before.get(name) != after.get(name)}
            assert act is None or act.changed == len(touched)
            model.note(act, _rows(database, row.id), touched)
        assert _rows(database, row.id) == model.states, (seed, what)
    _all_the_way_back(database, row.id)


def _versions(connection: Any, document_id: str) -> dict[str, int]:
    return {row.id: row.version for row in redactions.list_for_document(connection, document_id)}


def _undo(database: Database, document_id: str, model: _Model, dice: random.Random, now: int) -> None:
    with database.connect() as connection:
        listed = list_acts(connection, document_id)
    assert {act.id for act in listed if act.undone} == model.undone
    if not listed:
        return
    chosen = listed[min(int(dice.expovariate(0.5)), len(listed) - 1)]
    with database.begin() as connection:
        if chosen.undone:
            with pytest.raises(WasUndone):
                undo(connection, document_id, chosen.id, now_ms=now)
            return
        result = undo(connection, document_id, chosen.id, now_ms=now)
    changed, refused, done = model.undo(chosen.id)
    assert (result.changed, result.refused) == (changed, refused)
    assert (result.act is None) == (changed == 0)
    if result.act is not None:
        model.undone.add(chosen.id)
        model.acts[result.act.id] = done


def _all_the_way_back(database: Database, document_id: str) -> None:
    """Three acts taken back and done again, one after the other, end where they began."""
    before = _rows(database, document_id)
    with database.begin() as connection:
        made = [
            decide_where(connection, document_id, Where(), Changes(status="accepted", reason="one"), now_ms=900),
            decide_where(connection, document_id, Where(), Changes(status="rejected"), now_ms=901),
            remove(connection, document_id, list(before), now_ms=902)[1] if before else None,
        ]
        acts = [act.id for act in made if act is not None]
        back = [undo(connection, document_id, act, now_ms=903).act for act in reversed(acts)]
    assert _rows(database, document_id) == before
    with database.begin() as connection:
        for act in reversed(back):
            assert act is not None
            assert undo(connection, document_id, act.id, now_ms=904).refused == 0
    assert _rows(database, document_id) == {}


def _rule(document_id: str) -> RuleRow:
    return RuleRow(
        id=new_id(), scope="document", owner_key="o", document_id=document_id, kind="literal", pattern="x",
        match_case=False, whole_word=True, category="other", method="mask", enabled=True, source_rule_id=None,
        created_at=1, used_at=1,
    )  # fmt: skip


def test_acts_and_their_undoing_are_what_the_model_says_on_sqlite(settings: Settings) -> None:
    database = opened(settings)
    for seed in range(12):
        _play(database, seed, 40)
    database.close()


@pytest.mark.postgres
def test_acts_and_their_undoing_are_what_the_model_says_on_postgres(postgres_settings: Settings) -> None:
    database = opened(postgres_settings)
    for seed in range(100, 106):
        _play(database, seed, 40)
    database.close()


# What others do meanwhile


def _two_tabs(settings: Settings) -> None:
    """Two tabs decide on the same rows and take each other's acts back: nothing is lost, nothing half done."""
    database = opened(settings)
    row = document()
    fill(database, row, (redaction(row.id, f"N{n}", start=n * 10) for n in range(60)))
    first = _rows(database, row.id)
    failures: list[BaseException] = []

    def tab(status: str) -> None:
        try:
            for turn in range(10):
                with database.begin() as connection:
                    documents.lock(connection, row.id)
                    decide_where(connection, row.id, Where(), Changes(status=status), now_ms=turn)
                with database.begin() as connection:
                    documents.lock(connection, row.id)
                    newest = next(act for act in list_acts(connection, row.id) if not act.undone)
                    undo(connection, row.id, newest.id, now_ms=turn)
        except BaseException as error:
            failures.append(error)

    tabs = [threading.Thread(target=tab, args=(status,)) for status in ("accepted", "rejected")]
    for one in tabs:
        one.start()
    for one in tabs:
        one.join()
    assert failures == []
    with database.begin() as connection:
        assert len({row[1] for row in _rows(database, row.id).values()}) >= 1
        listed = list_acts(connection, row.id)
        assert len({act.at for act in listed}) == len(listed)
        statuses = set(redactions.counts(connection, row.id))
    assert len(statuses) == 1  # every act was of all rows
    assert set(_rows(database, row.id)) == set(first)
    database.close()


def test_two_tabs_at_once_on_sqlite(settings: Settings) -> None:
    _two_tabs(settings)


@pytest.mark.postgres
def test_two_tabs_at_once_on_postgres(postgres_settings: Settings) -> None:
    _two_tabs(postgres_settings)


def test_what_was_removed_does_not_come_back_beside_what_stands_there_now(settings: Settings) -> None:
    database = opened(settings)
    row = document()
    gone, back = redaction(row.id, "Ana", start=10, end=13), redaction(row.id, "Eva", start=20, end=23)
    fill(database, row, [gone, back])
    with database.begin() as connection:
        _, act = remove(connection, row.id, [gone.id, back.id], now_ms=1)
        redactions.insert_many(connection, [redaction(row.id, "Ana", start=10, end=13)])  # found again by a retry
        assert act is not None
        result = undo(connection, row.id, act.id, now_ms=2)
        values = [item.value for item in redactions.list_for_document(connection, row.id)]
    database.close()

    assert (result.changed, result.refused, values) == (1, 1, ["Ana", "Eva"])


def test_a_rules_decision_does_not_come_back_without_its_rule(settings: Settings) -> None:
    database = opened(settings)
    row = document()
    rule = _rule(row.id)
    ruled = {"origin": "rule", "status": "accepted", "rule_id": rule.id, "detector": "rule"}
    rows = [redaction(row.id, f"N{n}", start=n * 10, **ruled) for n in range(2)]
    fill(database, row, rows)
    with database.begin() as connection:
        rules.insert(connection, rule)
        turned = decide(connection, row.id, [rows[0].id], status="rejected", now_ms=1).act
        _, removed = remove(connection, row.id, [rows[1].id], now_ms=2)
        rules.update(connection, rule.id, enabled=False)
        take_back(connection, [rule.id])
        assert turned is not None
        assert removed is not None
        assert undo(connection, row.id, turned.id, now_ms=3).refused == 1
        assert undo(connection, row.id, removed.id, now_ms=4).refused == 1
        rules.update(connection, rule.id, enabled=True)
        assert undo(connection, row.id, turned.id, now_ms=5).changed == 1  # refused whole, it was not used up
        assert undo(connection, row.id, removed.id, now_ms=6).changed == 1
    assert _rows(database, row.id) == {item.id: _state(item) for item in rows}
    database.close()


def test_an_act_is_only_of_its_own_document_and_old_ones_are_forgotten(settings: Settings) -> None:
    database = opened(settings)
    mine, other = document(), document()
    fill(database, mine, [redaction(mine.id, "Ana")])
    fill(database, other, [])
    with database.begin() as connection:
        act = decide_where(connection, mine.id, Where(), Changes(status="accepted"), now_ms=1)
        assert act is not None
        with pytest.raises(NoSuchAct):
            undo(connection, other.id, act.id, now_ms=2)
        for turn in range(MOST_ACTS):
            status = STATUSES[turn % 2]
            assert decide_where(connection, mine.id, Where(), Changes(status=status), now_ms=3) is not None
        with pytest.raises(NoSuchAct):
            undo(connection, mine.id, act.id, now_ms=4)
        assert len(list_acts(connection, mine.id)) == MOST_ACTS
        assert connection.execute(select(func.count()).select_from(act_changes)).scalar_one() == MOST_ACTS
        documents.delete(connection, mine.id)
        assert connection.execute(select(func.count()).select_from(act_changes)).scalar_one() == 0
        assert connection.execute(select(func.count()).select_from(acts_table)).scalar_one() == 0
    database.close()


def test_deciding_on_ten_thousand_and_taking_it_back_is_quick(settings: Settings) -> None:
    database = opened(settings)
    row = document()
    fill(database, row, (redaction(row.id, f"N{n}", page=n // 5 + 1, start=n) for n in range(10_000)))
    first = _rows(database, row.id)
    took = []
    start = time.process_time()
    with database.begin() as connection:
        act = decide_where(connection, row.id, Where(status="suggested"), Changes(status="accepted"), now_ms=5)
    took.append(time.process_time() - start)
    assert act is not None
    assert act.changed == 10_000
    start = time.process_time()
    with database.begin() as connection:
        result = undo(connection, row.id, act.id, now_ms=6)
    took.append(time.process_time() - start)
    assert (result.changed, result.refused) == (10_000, 0)
    assert _rows(database, row.id) == first
    database.close()

    assert took[0] < 3.0, took  # seconds of a processor: about 0.1 and 0.25
    assert took[1] < 4.5, took
