necklace = Queen’s Necklace
    .tagline = Buy gems, steal secrets, and show in secret what you sell: three sales at the court of France.

## Moves

necklace-do-buy = Buy { $card } (place { $slot })
    .log = { $name } buys { $card }
necklace-do-end = End the turn
    .log = { $name } ends the turn: prices fall
necklace-do-confessor = Confessor: see the hand of { $target }
    .log = { $name } sends the Confessor to see the hand of { $target }
necklace-do-courtier = Courtier: 3 more ducats
    .log = { $name } plays a Courtier: 3 more ducats
necklace-do-forger = Forger: { $target } loses { $gem }
    .log = { $name } sends the Forger to { $target } for { $gem }
necklace-do-favorite = Favorite: { $gem } comes into fashion
    .log = { $name } plays the Favorite: { $gem } comes into fashion
necklace-do-thief = Thief: take a card from { $target }
    .log = { $name } sends the Thief to { $target }
necklace-do-musketeers = Three Musketeers: fetch the Queen’s Necklace
    .log = { $name }’s three Musketeers fetch the Queen’s Necklace
necklace-do-cancel = Musketeer: stop the Forger
    .log = { $name } stops the Forger with a Musketeer
necklace-do-discard = Discard { $card }
    .log = { $name } discards { $card }
necklace-do-show_hand = Show the hand: no such gem
    .log = { $name } has no such gem and shows the hand to the Forger’s player
necklace-do-take = Queen: take { $card }
    .log = { $name } takes { $card } with the Queen
necklace-do-decline = Leave it on offer
    .log = { "" }
necklace-do-cardinal = Cardinal: put the sale off to the end of my next turn
    .log = { $name } plays a Cardinal: the sale is put off to the end of their next turn
necklace-do-no_cardinal = No Cardinal
    .log = { $name } plays no Cardinal
necklace-do-lay = Show { $card }
    .log = { $name } lays out { $card }
necklace-do-ring = Ring with { $gem }
    .log = { $name } lays a Ring with { $gem }
necklace-do-king = King on { $gem }
    .log = { $name } lays a King on { $gem }
necklace-do-necklace = Queen’s Necklace with { $gem }
    .log = { $name } lays the Queen’s Necklace with { $gem }
necklace-do-banker = Show a Banker
    .log = { $name } lays out a Banker
necklace-do-clear = Take back all covered cards
    .log = { $name } takes back all covered cards
necklace-do-commit = Ready: no more cards
    .log = { $name } is ready
necklace-do-lay_open = Lay { $card } openly
    .log = { $name } lays { $card } openly
necklace-do-ring_open = Ring with { $gem }, openly
    .log = { $name } lays a Ring with { $gem } openly
necklace-do-king_open = King on { $gem }, openly
    .log = { $name } lays a King on { $gem } openly
necklace-do-necklace_open = Queen’s Necklace with { $gem }, openly
    .log = { $name } lays the Queen’s Necklace with { $gem } openly
necklace-do-banker_open = Lay a Banker openly
    .log = { $name } lays a Banker openly
necklace-do-alchemist = Alchemist: turn { $card } into { $gem }
    .log = { $name }’s Alchemist turns { $card } into { $gem }
necklace-do-no_alchemist = No Alchemist
    .log = { "" }
necklace-do-tile = Fashion
    .log = Fashion: { $gem }
necklace-do-start = First player
    .log = { $player } is the first player
necklace-do-deal = Deal
    .log = { $card_id ->
        [queens_necklace] The Queen’s Necklace is dealt, and its holder wears it
       *[other] { $name } is dealt { $card }
    }
    .open = { $card_id ->
        [queens_necklace] The Queen’s Necklace is dealt, and its holder wears it
       *[other] { $card } is dealt
    }
necklace-do-turn_up = Turn up
    .log = New on offer: { $card }
necklace-do-draw = Draw
    .log = The Astrologer draws { $card }
    .hidden = The Astrologer draws a card in secret
necklace-do-merchant = Merchant
    .log = A Merchant comes: time for a sale
necklace-do-steal = Steal
    .log = { $card_id ->
        [musketeer] The card drawn in return is a Musketeer, too: it is discarded, and the draw is returned
       *[other] Taken in return: { $card }
    }
    .joined = { $card_id ->
        [musketeer] { $name } sends the Thief to { $target }, a Musketeer arrests him, and { $target } takes a card in return
       *[other] { $name }’s Thief takes { $card } from { $target }
    }
    .joined-hidden = { $name }’s Thief takes a card from { $target }
necklace-do-stops = King
    .log = The King stops the sale of { $gem }
necklace-do-sells = Sells
    .log = { $player } sells { $gem } for { $pounds } pounds
necklace-together = All choose what they show for the sale
necklace-do-pays = Pays
    .log = { $player } pays { $wearer } 50 pounds: the Queen’s Necklace beats the King

## Cards

necklace-card-ruby_1 = 1 ruby
necklace-card-ruby_2 = 2 rubies
necklace-card-ruby_3 = 3 rubies
necklace-card-emerald_1 = 1 emerald
necklace-card-emerald_2 = 2 emeralds
necklace-card-emerald_3 = 3 emeralds
necklace-card-diamond_1 = 1 diamond
necklace-card-diamond_2 = 2 diamonds
necklace-card-diamond_3 = 3 diamonds
necklace-card-amber_1 = 1 amber
necklace-card-gem = Gem card
    .does = sells if you show the most
    .detail = Shown in a sale. Only whoever shows the most gems of a kind sells them; equal players all sell. The fewer gems of it all players show, the more each is worth.
necklace-card-ring = Ring
    .does = one gem more, if you sell
    .detail = Shown in a sale with a gem of yours. If you sell that kind, each Ring counts as one gem more. It does not count for having the most, nor for rarity. If you do not sell, it is wasted.
necklace-card-king = King
    .does = nobody sells this gem
    .detail = Shown in a sale with a gem of yours. Nobody sells that gem, not even you, unless the Queen’s Necklace lies with it. One King for each player and sale.
necklace-card-queens_necklace = Queen’s Necklace
    .does = beats the King: 50 pounds
    .detail = Shown in a sale with a gem of yours, whether or not you have the most of it. A King on that gem is void, and the King’s player pays you 50 pounds. Everybody sees who wears it.
necklace-card-banker = Banker
    .does = +10 for each gem sold
    .detail = Shown in a sale with any gem. Every gem you sell, of all kinds, brings 10 pounds more.
necklace-card-confessor = Confessor
    .does = look at a hand
    .detail = Before you buy: see one player’s whole hand. Nobody else does.
necklace-card-courtier = Courtier
    .does = 3 more ducats
    .detail = Before you buy: 3 more ducats for this turn.
necklace-card-forger = Forger
    .does = a player loses a gem card
    .detail = Before you buy: name a player and a gem. They discard one card of that gem, of their choice; with none they show you their hand. A Musketeer stops the Forger.
necklace-card-favorite = Favorite
    .does = a gem comes into fashion
    .detail = Before you buy: a gem moves to the first place of fashion; those that were before it move back one place.
necklace-card-thief = Thief
    .does = steal a card
    .detail = Before you buy: take a random card from a player’s hand. A Musketeer arrests the Thief: both are discarded, and that player takes a random card of yours.
necklace-card-alchemist = Alchemist
    .does = change a shown gem card
    .detail = In a sale, when all is turned over: one of your shown cards of ruby, emerald or diamond becomes another of these three, with all its gems. Rarity is counted afterwards.
necklace-card-astrologer = Astrologer
    .does = draw the top card
    .detail = When you buy it, discard it at once and draw the top card of the deck in secret. If that is a Merchant, the sale comes first.
necklace-card-cardinal = Cardinal
    .does = put a sale off
    .detail = When a Merchant comes in another player’s turn: the sale takes place at the end of your next turn instead.
necklace-card-musketeer = Musketeer
    .does = arrests Thieves, stops Forgers
    .detail = Drawn by a Thief, it arrests him. Named by a Forger, you may discard it to stop him. Three together, before you buy, fetch the Queen’s Necklace from its wearer or from the row.
necklace-card-queen = Queen
    .does = take a gem for nothing
    .detail = When a gem card is turned up at the end of your turn: discard the Queen and take that card.
necklace-card-merchant = Merchant
    .does = brings a sale
    .detail = Three Merchants lie in the deck, after a third, after two thirds and near the bottom. Each brings a sale.

necklace-group-gem = gem card
necklace-group-sale = sale card, shown in sales
necklace-group-influence = influence card, played before you buy
necklace-group-special = special card

necklace-gem-ruby = ruby
necklace-gem-emerald = emerald
necklace-gem-diamond = diamond
necklace-gem-amber = amber

## The table

necklace-fashion = Fashion
necklace-fashion-place = { $gem }: fashion +{ $bonus }
necklace-fashion-help = Fashion adds these pounds to each gem sold. The Favorite changes it.
necklace-rarity = Rarity
necklace-row = On offer
necklace-buy-for = Buy { $card } for { $n ->
    [one] 1 ducat
   *[other] { $n } ducats
 }
necklace-ladder-short = now { $now }, next turn { $next }
necklace-ladder-last = now { $now }, then discarded
necklace-empty-slot = empty
necklace-ducats = { $n ->
    [one] 1 ducat left
   *[other] { $n } ducats left
 }
necklace-budget-of = { $name } has { $n } ducats left
necklace-hand = Your hand
necklace-hand-empty = no cards
necklace-hand-gem = Gems
necklace-hand-sale = For the sale
necklace-hand-influence = Before you buy
necklace-hand-special = Special
necklace-times = ×{ $n }
necklace-clock = { $n ->
    [1] First sale
    [2] Second sale
   *[other] Third sale
 }
necklace-clock-in = { $n ->
    [0] with the next card
    [one] after 1 more card
   *[other] after { $n } more cards
 }
necklace-clock-between = after { $least }–{ $most } more cards
necklace-clock-now = { $n ->
    [1] The first sale takes place now
    [2] The second sale takes place now
   *[other] The third sale takes place now
 }
necklace-clock-merchant = A Merchant has come: will the sale be put off?
necklace-clock-over = all sales are over
necklace-clock-held = A Merchant stands beside { $name }: the sale takes place at the end of their next turn.
necklace-deck = { $n ->
    [one] 1 card in the deck
   *[other] { $n } cards in the deck
 }
necklace-ledger = Gems in the hands, as far as you know
necklace-ledger-open = Gems in the hands
necklace-overview = All cards
necklace-overview-help = How many of each card are in the game, how many are discarded, and how many you have not seen yet.
necklace-overview-all = in all
necklace-overview-gone = discarded
necklace-overview-unseen = unseen
necklace-last-sale = Last sale
necklace-close = Close
necklace-go-on = Go on
necklace-wears = { $name } wears the Queen’s Necklace
necklace-chosen = Chosen: { $card }
necklace-whom = whom?
necklace-which-gem = which gem?

necklace-seat-cards = { $n ->
    [0] no cards
    [one] 1 card
   *[other] { $n } cards
 }
necklace-seat-pounds = { $n } pounds
necklace-seat-necklace = wears the Queen’s Necklace
necklace-seat-merchant = holds a Merchant: sale at the end of the next turn
necklace-seat-ready = ready
necklace-seat-known = You know of
    .short = Known
necklace-seat-public = Everybody knows of
    .short = Known
necklace-seat-open = Hand
necklace-seat-unknown-short = { $n } unknown
necklace-seat-unknown = { $n ->
    [0] nothing else
    [one] 1 unknown card
   *[other] { $n } unknown cards
 }
necklace-seat-lacks = had no { $gem } for the Forger

## Sales

necklace-sale = { $n ->
    [1] First sale
    [2] Second sale
   *[other] Third sale
 }
necklace-tray = Your show
necklace-tray-empty = Choose from your hand. Nobody sees covered cards before all are ready.
necklace-manner = How to lay cards
necklace-manner-covered = Covered
necklace-manner-open = Openly
necklace-manner-help = Everybody sees the next card at once, and it cannot be taken back.
necklace-open = Open
necklace-tray-gem = { $gem }: { $n ->
    [0] nothing laid out
    [one] 1 gem laid out
   *[other] { $n } gems laid out
 }
necklace-tray-worth = If you sell: { $least }–{ $most }
necklace-tray-bankers = Bankers: +{ $n } for each gem
necklace-tray-all = Show every { $gem }
necklace-rivals = What the others hold, as far as you know
necklace-rivals-help = Shields: the others’ gems that you know of (+ perhaps more)
necklace-rival = { $name }: { $more ->
    [yes] { $n } known, perhaps more
   *[no] { $n ->
        [0] none
       *[other] { $n }
    }
 }
necklace-alchemist-card = Choose in the table which of your cards the Alchemist changes.
necklace-alchemist-gem = Now choose in the table which gem it becomes.
necklace-alchemist-pick = The Alchemist changes { $card }
necklace-lay-with = With which gem?
necklace-show-nothing = Show nothing
necklace-show-nothing-sure = You keep all your gems and sell nothing in this sale?
necklace-show-nothing-back = Choose cards
necklace-show-cards = { $n ->
    [one] Show 1 card
   *[other] Show { $n } cards
 }
necklace-waiting-others = Waiting for { $names }
necklace-step-shown = Shown
necklace-steps = Follow the sale step by step, or point at any number.
necklace-all-stones = Gems in all
necklace-step-sold = Sold
necklace-explain-shown = Everybody turns over at once what they laid out; all of it is used up. Gems of a kind count together.
necklace-explain-rarity = The fewer gems of a kind all have shown together, the higher its rarity: +30, +20, +10, +0. On a tie the more fashionable kind counts as rarer. Rings do not count.
necklace-explain-price = Rarity and fashion together are the pounds for each gem.
necklace-explain-sold = Only whoever shows the most gems of a kind sells them, equal players all do: each gem and each Ring at the price, 10 more with each Banker.
necklace-explain-gifts = Where a King meets the Queen’s Necklace, the King’s player pays 50 pounds to the Necklace’s.
necklace-step-price = Price of a gem
necklace-cell-stones = { $n ->
    [one] 1 gem
   *[other] { $n } gems
 }
necklace-cell-sum = { $stones } × { $price } = { $sum }
necklace-cell-sum-rings = ({ $stones } + { $rings ->
    [one] 1 ring
   *[other] { $rings } rings
 }) × { $price } = { $sum }
necklace-cell-plus-banker = { $price } + { $bonus }
necklace-why-rarity = { $gem }: { $n } shown in all. The fewest gems get +30, then +20, +10, +0; on a tie the more fashionable kind counts as rarer.
necklace-why-price = { $gem }: { $fashion } for fashion + { $rarity } for rarity = { $sum } pounds for each gem.
necklace-why-sold = { $name } sells { $gem }: { $sum } pounds.
necklace-why-less = { $name } has fewer { $gem } than the most, and sells none.
necklace-why-worthless = { $gem }: fashion +0 and rarity +0. It is worth nothing in this sale.
necklace-why-stopped = A King stops the sale of { $gem }: nobody sells.
necklace-why-void = The Queen’s Necklace makes the King on { $gem } void.
necklace-why-gift = { $name } pays 50 pounds to { $wearer } for the King met by the Queen’s Necklace.
necklace-why-alchemist = { $name }’s Alchemist turned { $card } into { $gem }.
necklace-gift = Queen’s Necklace
necklace-total = Sum
necklace-laid-so-far = What each player has laid out so far.
necklace-nothing-shown = Nobody showed anything.

## What to do now

necklace-prompt-turn = Buy at least one card ({ $n } ducats), or play influence cards first.
necklace-prompt-buy = { $n ->
    [0] No ducats left: end the turn.
    [one] 1 ducat left: buy more, or end the turn.
   *[other] { $n } ducats left: buy more, or end the turn.
 }
necklace-prompt-too-little = { $n ->
    [one] 1 ducat left: you can afford no more cards. End the turn.
   *[other] { $n } ducats left: you can afford no more cards. End the turn.
 }
necklace-prompt-nothing = You can afford no card: end the turn.
necklace-prompt-courtier = You can afford no card yet: a Courtier brings 3 more ducats.
necklace-prompt-influence = You can afford no card: play influence cards, or end the turn.
necklace-prompt-forger = { $name } sends a Forger for your { $gem }.
necklace-prompt-queen = Turned up: { $card }. Does the Queen take this card?
necklace-prompt-queen-none = Turned up: { $card }.
necklace-prompt-cardinal = A Merchant has come. Put the sale off?
necklace-prompt-cardinal-none = A Merchant has come.
necklace-prompt-show = Sale! Choose what to show.
necklace-prompt-sale = The sale is over. Have a look, then go on with your turn.
necklace-prompt-alchemist = All is turned over. Does the Alchemist change one of your cards?
necklace-prompt-alchemist-none = All is turned over.
necklace-prompt-confessor = Confessor: whose hand do you want to see?
necklace-prompt-thief = Thief: from whom?
necklace-prompt-favorite = Favorite: which gem comes into fashion?
necklace-prompt-forger-target = Forger: from whom?
necklace-prompt-forger-gem = Forger: which gem?

## In sentences

necklace-plain-table = The table
necklace-plain-fashion = Fashion: { $list }
necklace-plain-turn = It is { $name }’s turn; { $n } ducats left.
necklace-plain-slot = { $slot }: { $card }, { $ladder }
necklace-plain-player = { $name }: { $pounds } pounds, { $cards }
necklace-plain-known = You know of { $list }; { $unknown }.
necklace-plain-publicly = Everybody knows of { $list }; { $unknown }.
necklace-plain-whole-hand = Hand: { $list }.
necklace-plain-card = { $card } ({ $n }): { $does }
necklace-plain-tray = Laid covered: { $list }
necklace-plain-open = Laid openly: { $list }
necklace-plain-lays = { $name } has laid openly { $list }
necklace-plain-covers = { $name } has laid covered { $list }
necklace-plain-sale = { $gem }: { $stones } gems in all, fashion { $fashion } + rarity { $rarity } = { $price }
necklace-plain-shown = { $name } showed { $list }; earned { $sum }
necklace-none = nothing
necklace-with = { $card } with { $gem }

## The end

necklace-outcome-sale = { $n ->
    [1] First sale
    [2] Second sale
   *[other] Third sale
 }
necklace-outcome-gifts = Gifts
necklace-outcome-total = Total
necklace-outcome-tie-break = The better last sale decides between equal sums.

## Options

necklace-preset-seed = Rules of 2003
necklace-preset-fuzzy-merchants = Nobody knows when the Merchants come
necklace-preset-re-edition-2015 = Re-edition of 2015
necklace-preset-thin-deck = Thinner deck for two
necklace-preset-tuned = Tuned prices
necklace-option-ladders = Prices
    .value-0 = from 1 to 13
    .value-1 = from 1 to 15
    .value-2 = tuned by simulation
    .help = Sources disagree about the dearest and the cheapest cards. In the second set the Necklace costs up to 15; amber, Confessor and Courtier 4 at most. The tuned set has other prices where no source gives any.
necklace-option-rarity_zero_counts = A gem that nobody shows
    .value-1 = takes a rarity tile
    .value-0 = takes none
    .help = With the first choice it counts as the rarest and takes the +30 from the others.
necklace-option-banker_applies_to_rings = The Banker’s 10 pounds
    .value-1 = for Rings too
    .value-0 = for gems alone
    .help = Does the gem that a Ring stands for bring 10 pounds more as well?
necklace-option-influence_needs_turn_start = Influence cards stolen this turn
    .value-0 = may be played at once
    .value-1 = wait for the next turn
    .help = By the re-edition an influence card must have been in the hand when the turn began.
necklace-option-trio_scope = Three Musketeers fetch the Necklace
    .value-1 = from a player or the row
    .value-0 = from a player only
    .help = Do they also fetch it while it is on offer?
necklace-option-tie_break = A tie at the end
    .value-0 = is shared
    .value-1 = goes to the better last sale
    .help = The rules do not mention ties.
necklace-option-merchant_jitter = The first two Merchants
    .value-0 = come after exactly a third and two thirds
    .value-3 = up to 3 cards earlier or later
    .help = So that no one can work out when the sale comes.
necklace-option-row_size = Cards on offer
    .value-5 = five
    .value-4 = four
    .help = Most sources say five.
necklace-option-thin_deck = Deck
    .value-0 = all cards
    .value-1 = 30 cards left out
    .help = For two players, whose hands grow very large otherwise. The number is our own.

## Why not

necklace-refusal-too-dear = You do not have enough ducats for that.
necklace-refusal-not-on-offer = That card is not on offer.
necklace-refusal-buy-first = Buy at least one card first: you can afford one.
necklace-refusal-not-in-hand = You do not have that card, or no more copies of it.
necklace-refusal-influence-over = You have started to buy: influence cards have to be played before.
necklace-refusal-just-taken = You took that card this turn: you may play it next turn.
necklace-refusal-no-target = That player has no cards, or is you.
necklace-refusal-no-necklace = No one has the Queen’s Necklace, so it cannot be fetched.
necklace-refusal-necklace-in-deck = The Queen’s Necklace is still in the deck: there is nothing to fetch.
necklace-refusal-three-musketeers = That takes three Musketeers.
necklace-refusal-gem-first = It has to lie with a gem card of yours: lay one first.
necklace-refusal-open-gem-first = It can lie openly only with a gem card that lies openly: lay one first.
necklace-refusal-one-king = Only one King for each player and sale.
necklace-refusal-another-gem = The Forger asks for another gem.
necklace-refusal-has-gem = You have such a gem: discard one.
necklace-refusal-true-gem = That would change nothing.
necklace-refusal-no-gem-shown = You did not show that card.
necklace-refusal-not-now = That cannot be done now.
necklace-no-purchase-in-sales = Nothing is bought during a sale.
necklace-lacks-ducats = { $n ->
    [one] You lack 1 ducat.
   *[other] You lack { $n } ducats.
 }
necklace-lacks-musketeers = { $n ->
    [one] To fetch the Necklace you lack 1 more Musketeer.
   *[other] To fetch the Necklace you lack { $n } more Musketeers.
 }
necklace-no-target = None of the others has cards.
necklace-only-in-sales = Not now: it is shown in a sale.
necklace-not-for-sales = This card is not shown in sales.
necklace-all-laid = You have laid out all of these.

## Reports

necklace-owned-card = { $card }

## Hints

necklace-counted-pounds = { $n } { $many ->
    [one] pound
   *[other] pounds
  }
necklace-counted-ducats = { $n } { $many ->
    [one] ducat
   *[other] ducats
  }
necklace-counted-cards = { $n } { $many ->
    [one] card
   *[other] cards
  }
necklace-counted-stones = { $n } { $many ->
    [one] gem
   *[other] gems
  }
necklace-counted-leads = { $n } { $many ->
    [one] lead in a kind of gem, as far as you know
   *[other] leads in kinds of gems, as far as you know
  }
necklace-copies = { $many ->
    [one] { "" }
   *[other] { $many } × { "" }
  }
necklace-counted-ruby_1 = { necklace-copies }{ necklace-card-ruby_1 }
necklace-counted-ruby_2 = { necklace-copies }{ necklace-card-ruby_2 }
necklace-counted-ruby_3 = { necklace-copies }{ necklace-card-ruby_3 }
necklace-counted-emerald_1 = { necklace-copies }{ necklace-card-emerald_1 }
necklace-counted-emerald_2 = { necklace-copies }{ necklace-card-emerald_2 }
necklace-counted-emerald_3 = { necklace-copies }{ necklace-card-emerald_3 }
necklace-counted-diamond_1 = { necklace-copies }{ necklace-card-diamond_1 }
necklace-counted-diamond_2 = { necklace-copies }{ necklace-card-diamond_2 }
necklace-counted-diamond_3 = { necklace-copies }{ necklace-card-diamond_3 }
necklace-counted-amber_1 = { necklace-copies }{ necklace-card-amber_1 }
necklace-counted-ring_ruby = { necklace-copies }Ring with { necklace-gem-ruby }
necklace-counted-ring_emerald = { necklace-copies }Ring with { necklace-gem-emerald }
necklace-counted-ring_diamond = { necklace-copies }Ring with { necklace-gem-diamond }
necklace-counted-ring_amber = { necklace-copies }Ring with { necklace-gem-amber }
necklace-counted-king_ruby = King on { necklace-gem-ruby }
necklace-counted-king_emerald = King on { necklace-gem-emerald }
necklace-counted-king_diamond = King on { necklace-gem-diamond }
necklace-counted-king_amber = King on { necklace-gem-amber }
necklace-counted-necklace_ruby = Queen’s Necklace with { necklace-gem-ruby }
necklace-counted-necklace_emerald = Queen’s Necklace with { necklace-gem-emerald }
necklace-counted-necklace_diamond = Queen’s Necklace with { necklace-gem-diamond }
necklace-counted-necklace_amber = Queen’s Necklace with { necklace-gem-amber }
necklace-counted-banker = { necklace-copies }{ necklace-card-banker }

## Lesson

necklace-lesson-goal = You deal in jewels. For three years you buy gems at this counter, and once a year there is a sale. Whoever has the most pounds after the third sale wins. The tiles say what is in fashion: an emerald is worth 30 more right now, a diamond nothing extra.
necklace-lesson-influence = You spend ducats, 10 in every turn; none can be saved. Before you buy you may play blue cards. Your Courtier brings 3 ducats more: play him.
    .other = That is allowed. But take it back and play the Courtier first: once you have bought, it is too late.
necklace-lesson-buy = The golden ring on a card shows its price now. Emeralds are in fashion: buy the card with two of them for 6. A ring costs 2, and counts as one more gem when its kind is sold. Buy both, then end your turn.
    .other = Also possible. For now take it back and buy the two emeralds and the ring.
necklace-lesson-sink = Cards that nobody bought have become cheaper: the golden rings move down a step every turn, and a card that falls off is gone, like the Thief. New cards come in at the top price. The merchant is among the cards of the deck: when he comes, there is a sale.
necklace-lesson-show = The sale. Everybody lays out in secret what they want to sell, and all of it is gone afterwards. Each gem is sold only by the player who shows the most of it. Beside each player you see the cards that everyone knows of. Lay both emerald cards and put the ring on them; keep the single ruby, against { $rival }’s three it would be lost.
    .other = Look at what is known of { $rival }: three rubies. Take it back, and lay both emeralds with the ring.
necklace-lesson-sold = You sold: three gems and the ring, 20 pounds each. A gem is worth its fashion plus its rarity: the fewer of its kind all players show together, the more. There were four emeralds, so nothing extra; three diamonds brought { $third } 50 pounds each.
necklace-lesson-king = Another sale. { $third } bought five diamonds, and everyone saw it. You hold a King: whatever gem you lay him on, nobody sells it. Lay your single diamond, put the King on it, and sell your rubies.
    .other = Five diamonds against your one. Take it back and put the King on your diamond: then nobody sells diamonds.
necklace-lesson-stopped = Five diamonds for nothing! But beware of the Queen’s Necklace: whoever lays it on the same gem makes the King void and takes 50 pounds from the King’s player. Everybody can see who wears it.
necklace-lesson-own = You know enough to play. Three things to remember: a few gems are enough if you have the most; everyone remembers what they saw you buy; and spend your ducats, because you cannot save them. Now play a game of your own, with help if you want it.
