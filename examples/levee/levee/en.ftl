levee = The King’s Levee
    .tagline = Bid in secret, with dice that only you see, for the honours of the king’s morning.
levee-do-bid = { $number ->
        [one] Bid a { $face }
       *[other] Bid { $number } dice showing { $face }
    }
    .log = { $number ->
        [one] { $name } bids a { $face }
       *[other] { $name } bids { $number } dice showing { $face }
    }
levee-do-decline = Decline
    .log = { $name } declines
levee-do-decide =
    .hidden = { $name } has decided
levee-do-roll = Roll { $face }
    .log = { $player } rolls { $face }
    .hidden = { $player } rolls a die behind the screen
levee-do-offer = Offer { $honour }
    .log = The chamberlain offers: { $honour }
levee-do-show = Show the bid
    .log = { $number ->
        [one] { $player } has bid a { $face }
       *[other] { $player } has bid { $number } dice showing { $face }
    }
levee-do-abstain = Show no bid
    .log = { $player } has declined
levee-do-grant = Grant the honour
    .log = { $player } wins with { $total }
levee-do-remain = Grant nothing
    .log = Nobody wins: the honour stays on offer
levee-honour-slippers = Slippers
levee-honour-candle = Candle
levee-honour-curtain = Curtain
levee-honour-basin = Basin
levee-honour-gloves = Gloves
levee-honour-wig = Wig
levee-honour-shirt = Shirt
levee-honour-cloak = Cloak
levee-honour-sword = Sword
levee-honour-crown = Crown
levee-owned-honour = { $honour }
levee-option-rounds = Honours offered
    .value-10 = all ten
    .value-6 = six, nobody knows which
levee-option-dice = Dice for each
    .value-5 = five
    .value-4 = four
levee-preset-usual = Usual
levee-preset-brief = Brief morning
levee-preset-frugal = Frugal court
levee-refusal-too-few-dice = You do not have that many dice of this face.
levee-bid-now = Bid dice of one face, or decline
levee-waiting = { $names } may still bid
levee-over = The king is dressed
levee-offered = The chamberlain offers
levee-still = Still to be offered
levee-between = Nothing is offered yet
levee-screen = Behind the screen
levee-yours = Your dice
levee-how = Choose a die: you bid it together with those before it. Their total is shown below it.
levee-your-bid = Your bid is made
levee-you-decline = You decline
levee-none = You have no dice left
levee-no-bid = declined
levee-equalled = equalled
levee-wins = wins
levee-dice = Dice
