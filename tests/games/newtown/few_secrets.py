"""Why only few positions have hidden information; see courtly/testing/resources.py."""

REASON_FOR_FEW_SECRETS = "dice are chosen in secret only while several may go to the King's land at once"
