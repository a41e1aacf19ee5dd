"""The route of exemption codes."""

from __future__ import annotations

from fastapi import APIRouter

from anonify.review.codes import exemption_codes

from .review_schemas import CodeOut, CodeSetOut, CodesOut

__all__ = ["router"]

router = APIRouter(prefix="/api/codes", tags=["codes"])


@router.get("")
def codes() -> CodesOut:
    """Exemption codes by law, to choose a reason from; a reason may be any other short text."""
    return CodesOut(
        sets=[
            CodeSetOut(
                id=one.id,
                name=one.name,
                law=one.law,
                codes=[CodeOut(code=each.code, title=each.title) for each in one.codes],
            )
            for one in exemption_codes()
        ]
    )
