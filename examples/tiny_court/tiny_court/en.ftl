tiny_court = The Tiny Court
    .tagline = Three courtiers, an honour, and bids in secret: small enough to be solved.
tiny_court-do-bid = { $coins ->
        [0] Bid nothing
        [one] Bid a coin
       *[other] Bid { $coins } coins
    }
    .log = { $coins ->
        [0] { $name } bids nothing
        [one] { $name } bids a coin
       *[other] { $name } bids { $coins } coins
    }
    .hidden = { $name } has bid
tiny_court-do-deal = Deal the { $courtier }
    .log = { $name } is dealt the { $courtier }
    .open = The { $courtier } is dealt
    .hidden = A courtier is dealt
tiny_court-do-offer = Offer the { $honour }
    .log = The king offers the { $honour }
tiny_court-courtier-page = Page
tiny_court-courtier-knight = Knight
tiny_court-courtier-lord = Lord
tiny_court-honour-ring = Ring
tiny_court-honour-crown = Crown
tiny_court-option-honours = Honours offered
    .value-1 = one
    .value-2 = two
tiny_court-preset-one-honour = One honour
tiny_court-preset-two-honours = Two honours
