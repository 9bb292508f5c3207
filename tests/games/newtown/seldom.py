SELDOM = "dice are chosen in secret only while several may go to the King's land at once"
