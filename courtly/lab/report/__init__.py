"""The report of `courtly lab report`: measurements of games as one HTML page."""
