"""Why each suggestion was made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the reason beside the detector and the confidence; suggestions made before have their detector's own."""
    op.add_column("redactions", sa.Column("why", sa.String(length=64), nullable=True))
