"""Of links to another device it is known which one is good, not how many there were."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.execute("ALTER TABLE guest RENAME COLUMN carried TO link")
