sealed_bids = Sealed bids
    .tagline = A tiny game for tests
sealed_bids-do-skip = Do not look
    .log = { $name } does not look
sealed_bids-do-look = Look at a card of { $target }
    .log = { $name } looks at a card of { $target }
sealed_bids-do-choose = Choose { $card }
    .log = { $name } chooses { $card }
sealed_bids-do-ready = Ready
    .log = { $name } is ready
sealed_bids-do-answer = { $jester ->
    [1] Throw in a jester
   *[other] No jester
 }
    .log = { $jester ->
    [1] { $name } throws in a jester
   *[other] { $name } throws in no jester
 }
    .hidden = { $name } has answered
sealed_bids-do-deal = deal
    .log = { $name } is dealt { $card }
    .open = { $card } is dealt
    .hidden = A card is dealt
sealed_bids-do-prize = prize
    .log = The prize is worth { $worth }
sealed_bids-do-seen = seen
    .log = The card is { $card }
    .hidden = A card was looked at
sealed_bids-card-jester = jester
sealed_bids-card-one = one
sealed_bids-card-two = two
sealed_bids-card-three = three
sealed_bids-card-four = four
sealed_bids-card-five = five
sealed_bids-card-six = six
sealed_bids-option-looks = The first player may look
    .value-0 = no
    .value-1 = yes
sealed_bids-preset-plain = Plain
sealed_bids-refusal-not-in-hand = That card is not in your hand.
sealed_bids-refusal-choose-first = Choose a card first.
sealed_bids-counted-points = { $n } { $many ->
    [one] point
   *[other] points
  }
sealed_bids-counted-cards = { $n } { $many ->
    [one] card
   *[other] cards
  }
sealed_bids-counted-rounds = { $n } { $many ->
    [one] round
   *[other] rounds
  }
