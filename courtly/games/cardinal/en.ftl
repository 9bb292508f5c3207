cardinal = Web of Power
    .tagline = Cloisters and cardinals across medieval Europe: hold countries, forge alliances, draw long chains.

## Moves

cardinal-do-cloister = Cloister in { $site } ({ $pair_id ->
        [none] { $single }
       *[other] { $single_id ->
            [none] { $pair }
           *[other] { $pair } + { $single }
        }
    })
    .log = { $pair_id ->
        [none] { $name } plays { $single }
       *[other] { $single_id ->
            [none] { $name } plays { $pair }
           *[other] { $name } plays { $pair } and { $single }
        }
    }: a cloister in { $site }
cardinal-do-cardinal = Cardinal in { $country } ({ $pair_id ->
        [none] { $single }
       *[other] { $single_id ->
            [none] { $pair }
           *[other] { $pair } + { $single }
        }
    })
    .log = { $pair_id ->
        [none] { $name } plays { $single }
       *[other] { $single_id ->
            [none] { $name } plays { $pair }
           *[other] { $name } plays { $pair } and { $single }
        }
    }: a cardinal in { $country }
cardinal-do-second_cloister = Second piece, a cloister in { $site }
    .log = { $name } adds a cloister in { $site }
cardinal-do-second_cardinal = Second piece, a cardinal in { $country }
    .log = { $name } adds a cardinal in { $country }
cardinal-do-done = No second piece
    .log = { $name } places no second piece
cardinal-do-discard = Discard { $first }{ $second_id ->
        [none] {""}
       *[other] , { $second }
    }{ $third_id ->
        [none] {""}
       *[other] , { $third }
    }
    .log = { $name } discards { $first }{ $third_id ->
        [none] { $second_id ->
            [none] {""}
           *[other] {" "}and { $second }
        }
       *[other] , { $second } and { $third }
    }
cardinal-do-take = Take the face-up card, { $card }
    .log = { $name } takes a face-up card: { $card }
cardinal-do-draw = Draw from the deck
    .log = { $name } draws from the deck
cardinal-do-begins = Start player
    .log = { $player } is the start player
cardinal-do-deal = Deal
cardinal-do-drawn = Card drawn
    .log = { $card } is drawn
    .joined = { $name } draws { $card } from the deck
cardinal-do-turn_up = Open card
    .log = { $card } is turned up
cardinal-do-reshuffle = New deck
    .log = The deck has run out: the discards are shuffled into a new one
cardinal-do-run_out = The deck has run out
    .log = The deck has run out for the second time: the final scoring is near
cardinal-do-interim = Interim scoring
    .log = Interim scoring: the cloisters in each country
cardinal-do-final = Final scoring
    .log = Final scoring: countries, alliances, chains

## Names

cardinal-card-red = Red
cardinal-card-green = Green
cardinal-card-yellow = Yellow
cardinal-card-orange = Orange
cardinal-card-purple = Purple
cardinal-single-none = none
cardinal-single-red = red
cardinal-single-green = green
cardinal-single-yellow = yellow
cardinal-single-orange = orange
cardinal-single-purple = purple
cardinal-first-none = none
cardinal-first-red = red
cardinal-first-green = green
cardinal-first-yellow = yellow
cardinal-first-orange = orange
cardinal-first-purple = purple
cardinal-second-none = none
cardinal-second-red = red
cardinal-second-green = green
cardinal-second-yellow = yellow
cardinal-second-orange = orange
cardinal-second-purple = purple
cardinal-third-none = none
cardinal-third-red = red
cardinal-third-green = green
cardinal-third-yellow = yellow
cardinal-third-orange = orange
cardinal-third-purple = purple
cardinal-pair-none = none
cardinal-pair-red = two red
cardinal-pair-green = two green
cardinal-pair-yellow = two yellow
cardinal-pair-orange = two orange
cardinal-pair-purple = two purple

cardinal-country-EN = England
cardinal-country-FR = France
cardinal-country-AR = Aragon
cardinal-country-LO = Lotharingia
cardinal-country-FK = Franconia
cardinal-country-SW = Swabia
cardinal-country-BY = Bavaria
cardinal-country-BU = Burgundy
cardinal-country-IT = Italy

cardinal-site-EN1 = York
cardinal-site-EN2 = Ely
cardinal-site-EN3 = Gloucester
cardinal-site-EN4 = London
cardinal-site-EN5 = Canterbury
cardinal-site-FR1 = Rouen
cardinal-site-FR2 = Saint-Denis
cardinal-site-FR3 = Reims
cardinal-site-FR4 = Mont-Saint-Michel
cardinal-site-FR5 = Tours
cardinal-site-FR6 = Bourges
cardinal-site-FR7 = Poitiers
cardinal-site-FR8 = Moissac
cardinal-site-AR1 = Jaca
cardinal-site-AR2 = Zaragoza
cardinal-site-AR3 = Ripoll
cardinal-site-AR4 = Barcelona
cardinal-site-AR5 = Valencia
cardinal-site-LO1 = Utrecht
cardinal-site-LO2 = Liège
cardinal-site-LO3 = Cologne
cardinal-site-LO4 = Metz
cardinal-site-FK1 = Fulda
cardinal-site-FK2 = Hersfeld
cardinal-site-FK3 = Erfurt
cardinal-site-FK4 = Bamberg
cardinal-site-FK5 = Würzburg
cardinal-site-FK6 = Mainz
cardinal-site-FK7 = Speyer
cardinal-site-SW1 = Hirsau
cardinal-site-SW2 = Ulm
cardinal-site-SW3 = Reichenau
cardinal-site-SW4 = Chur
cardinal-site-BY1 = Regensburg
cardinal-site-BY2 = Freising
cardinal-site-BY3 = Passau
cardinal-site-BY4 = Tegernsee
cardinal-site-BY5 = Salzburg
cardinal-site-BY6 = Melk
cardinal-site-BU1 = Dijon
cardinal-site-BU2 = Basel
cardinal-site-BU3 = Cluny
cardinal-site-BU4 = Geneva
cardinal-site-BU5 = Vienne
cardinal-site-IT1 = Milan
cardinal-site-IT2 = Genoa
cardinal-site-IT3 = Verona
cardinal-site-IT4 = Florence
cardinal-site-IT5 = Rome
cardinal-site-IT6 = Monte Cassino

## The map

cardinal-map = Map
cardinal-nearer = Zoom in
cardinal-farther = Zoom out
cardinal-site-free = { $place }, { $country_name }: free
cardinal-site-taken = { $place }, { $country_name }: cloister of { $owner }
cardinal-roads = Roads to { $places }
cardinal-in-chain = In a chain of { $n }
cardinal-seal = { $country_name }: { $standing } of { $top ->
    [one] 1 cardinal
   *[other] { $top } cardinals
 }
cardinal-cards-for = { $colour } cards · free sites: { $free }
cardinal-cloisters-here = Cloisters: { $list }
cardinal-cardinals-here = Cardinals: { $list }
cardinal-worth-now = Cloisters score now: { $list }
cardinal-empty-country = Empty: only one cloister may be placed in a turn
cardinal-allies = Alliances: { $list }
cardinal-ally = { $number } { $country_name }
cardinal-nobody = nobody
cardinal-pact = Alliance { $number }: { $a } – { $b }
cardinal-led-by = { $country_name }: { $n ->
        [one] 1 cardinal
       *[other] { $n } cardinals
    }, led by { $list }
cardinal-pact-now = Leading in both, each for { $n }: { $list }
cardinal-pact-none = Nobody leads in both: no points

## Cards

cardinal-cards = Cards
cardinal-open = Open cards
cardinal-deck = Deck
cardinal-discards = Discards
cardinal-discards-help = Cards played and discarded, by colour. They are shuffled into a new deck once.
cardinal-no-card = none
cardinal-hand = Your hand
cardinal-useless = This card cannot be played together with the chosen cards.
cardinal-pay = { $piece ->
        [cardinal] Place a cardinal here with:
       *[cloister] Place a cloister here with:
    }
cardinal-pay-pair = { $colour } ×2
cardinal-pay-cancel = Cancel
cardinal-no-cloister-yet = No cardinal can come here yet: there is no cloister in { $country_name }.
cardinal-lacks-cards = Not now: you hold neither a card for this country ({ $colour }) nor two of one colour.
cardinal-other-cards = The chosen cards do not pay for this. Click to see which of yours do.
cardinal-due-interim = The deck has run out! Interim scoring when the turn comes to { $name }
cardinal-due-final = The deck has run out again! Final scoring when the turn comes to { $name }
cardinal-discard = Discard …
cardinal-discard-ask = { $n ->
        [one] Discard this card without playing it?
       *[other] Discard these { $n } cards without playing them?
    }
cardinal-discard-none = First choose the cards to discard.
cardinal-discard-yes = Discard
cardinal-discard-no = Keep
cardinal-what-choose = Choose cards, or a place first: what goes with it is shown.
cardinal-what-one = { $colour }: one piece in { $lands }.
cardinal-what-pair = { $own ->
        [1] Two pieces in { $lands }, or as a joker one in any country.
       *[other] Two pieces in { $lands }, or as a joker one in a country of another colour.
    }
cardinal-what-dear = In { $lands } one card would do.
cardinal-what-joker = The pair is a joker: two pieces in { $lands }.
cardinal-what-differ = { $discard ->
        [1] Two cards must have the same colour. You can discard them.
       *[other] Two cards must have the same colour.
    }
cardinal-what-three = { $discard ->
        [1] Three cards need a pair among them. You can discard them.
       *[other] Three cards need a pair among them.
    }
cardinal-what-nowhere = These cards cannot place a piece anywhere now.
cardinal-what-second = The second piece goes to { $country_name } too.
cardinal-what-refill = { $n ->
        [one] One more card.
       *[other] { $n } more cards, in any order.
    }

cardinal-prompt-choose = Choose the cards to play.
cardinal-prompt-place = Choose a glowing site or seal.
cardinal-prompt-other = { $discard ->
        [1] Not playable: choose others, or discard.
       *[other] Not playable: choose others.
    }
cardinal-prompt-second = Place the second piece in { $country_name }.
cardinal-prompt-second-or-done = A second piece in { $country_name }, or finish.
cardinal-prompt-refill = { $n ->
        [one] Draw one card.
       *[other] Draw { $n } cards.
    }

## Points

cardinal-players = Players
cardinal-start = Start player
cardinal-start-short = starts
cardinal-points = { $n ->
        [one] 1 point
       *[other] { $n } points
    }
cardinal-cloisters-left = { $n ->
        [one] 1 cloister left
       *[other] { $n } cloisters left
    }
cardinal-cardinals-left = { $n ->
        [one] 1 cardinal left
       *[other] { $n } cardinals left
    }
cardinal-estimate = if scored now: { $n }
    .short = { $n } if scored now
cardinal-estimate-off = estimate off
cardinal-estimate-help = The points if the final scoring were held now. Click to switch the estimate on or off.
cardinal-made-of = interim { $interim }; now countries { $countries }, alliances { $alliances }, chains { $chains }
cardinal-scores = Scores
cardinal-close = Close
cardinal-interim = Interim scoring
cardinal-final-countries = Countries at the final scoring (in brackets: cloisters)
cardinal-now-countries = Countries as they stand (in brackets: cloisters)
cardinal-sum = Sum
cardinal-alliances = Alliances
cardinal-pact-row = { $number } { $a } ({ $sa }) – { $b } ({ $sb })
cardinal-chains = Chains of at least four cloisters
cardinal-chains-sum = Cloisters in chains
cardinal-total = Total
cardinal-if-now = If scored now
cardinal-legend-countries = Whoever has the most cloisters in a country scores all of them; each of the others scores as many as the next player above has. Tied players score the same.
cardinal-legend = ● leads in that country, ○ does not. An alliance scores for whoever leads in both: all cardinals of both countries.
cardinal-tie = { $n ->
        [one] 1 point each: whoever has more pieces left is ahead ({ $list }).
       *[other] { $n } points each: whoever has more pieces left is ahead ({ $list }).
    }

## Options

cardinal-preset-seed = Online rules
cardinal-preset-printed = Printed box
cardinal-option-discard_max = Cards discarded in a turn
    .value-3 = up to three
    .value-1 = one
    .help = How many cards may be discarded in a turn in which nothing is played. The printed rules allow one.
cardinal-option-joker_own_colour = A pair stands for its own colour
    .value-1 = yes
    .value-0 = no
    .help = If so, two equal cards may also place just one piece in their own countries, and three equal cards two.
cardinal-option-underplace = Fewer pieces than the cards place
    .value-0 = no
    .value-1 = allowed
    .help = Whether one piece may be placed where the cards place two.
cardinal-option-interim = Interim scoring
    .value-0 = at the start player’s turn
    .value-1 = at once
    .help = When it takes place after the deck has run out. In the printed rules it takes place at once.
cardinal-option-first_player = Start player
    .value-0 = drawn
    .value-1 = seat 1
    .value-2 = seat 2
    .value-3 = seat 3
    .value-4 = seat 4
    .value-5 = seat 5
    .help = A number beyond the last seat is counted round the table.

## Why not

cardinal-refusal-place-second = Place the second piece first.
cardinal-refusal-refill-first = Draw cards first.
cardinal-refusal-choose-first = Play or discard cards first.
cardinal-refusal-not-in-hand = Those cards are not in your hand.
cardinal-refusal-no-set = These cards cannot be played together.
cardinal-refusal-own-colour = At this table two cards cannot be a joker for their own colour.
cardinal-refusal-wrong-colour = Those cards do not pay for that country.
cardinal-refusal-same-country = Both pieces have to go to the same country.
cardinal-refusal-site-taken = That site is taken.
cardinal-refusal-no-cloisters = You have no cloisters left.
cardinal-refusal-no-cardinals = You have no cardinals left.
cardinal-refusal-empty-country = In an empty country only one cloister may be placed in a turn.
cardinal-refusal-seal-full = There cannot be more cardinals here than the leader has cloisters.
cardinal-refusal-no-second = The cards place two pieces, and there is no room for a second.
cardinal-refusal-must-place = The second piece must be placed.
cardinal-refusal-discard-one = Only one card may be discarded.
cardinal-refusal-not-open = That card is not face up.
cardinal-refusal-no-deck = The deck is empty.

## Reports

cardinal-owned-cloister = Cloister in { $country }
cardinal-owned-cardinal = Cardinal in { $country }

## Hints

cardinal-counted-points = { $n } { $many ->
    [one] point
   *[other] points
  }
cardinal-part-countries = cloisters in the countries
cardinal-part-alliances = alliances
cardinal-part-chains = chains
cardinal-counted-cards = { $n } { $many ->
    [one] card
   *[other] cards
  }
cardinal-counted-points_now = { $n } { $many ->
    [one] point
   *[other] points
  } if scored now

## Lesson

cardinal-lesson-goal = Cloisters and cardinals on a map of old Europe. Points come from three things: cloisters in each country, cardinals in two allied countries, and cloisters joined by roads. The pieces with the { $me } are yours.
cardinal-lesson-second = First the cloisters. Whoever has the most in a country scores all that stand there; everyone else scores what the next better player has. { $rival } has three in France, so a single one of yours is worth three points at once. Purple cards are for France: pick yours, then a place.
    .other = That is allowed. But three points for one cloister is a gift: take it back, and put one into France with the purple card.
cardinal-lesson-draw = Three points for you, and four for { $rival } now. At the end of a turn you draw as many cards as you used, from the two open ones or from the deck, as you like.
cardinal-lesson-cardinals = Now the cardinals. In a country there can be no more of them than its leader has cloisters: over Burgundy’s seal stands 0/2. Two cards of a colour place two pieces in one country. Pick both green cards and take both places before anyone else does.
    .other = Possible. But you have only eight cardinals, and here both places are free: take it back, and put two of them on Burgundy’s seal.
cardinal-lesson-alliance = The number 14 is an alliance of Burgundy and Italy. At the end, whoever has the most cardinals in both countries scores every cardinal in both: three for you. Burgundy is in five alliances, so those two cardinals can score again and again.
cardinal-lesson-chain = Cloisters joined by roads count at the end, one point each, as soon as there are four, across borders too. Three of yours are waiting: Reims and Dijon are joined, Bourges is not. Put one in between with the green card.
    .other = Look at the road from Dijon to Bourges: one place lies between. Take it back and build at Cluny.
cardinal-lesson-stroke = A chain of four: the thick line shows it, as if drawn in one stroke. It can grow at both ends. What branches off does not count, and no cloister counts twice.
cardinal-lesson-joker = You hold no yellow card, but you would like to be in Italy. What beginners forget: two equal cards are a joker for any colour. Pick both red ones. In an empty country that buys one cloister and nothing else.
    .other = That works too. But try the joker once: take it back, pick both red cards, and build in Italy.
cardinal-lesson-scoring = When do you score? Watch the deck. Once it has run out, there is a scoring as soon as it is the start player’s turn: the first time, only cloisters score. Then the discards become a new deck; the second time, everything scores and the game is over.
cardinal-lesson-own = You know enough to play. Three things to remember: a single cloister beside a strong leader is cheap; eight cardinals are few, so send them where alliances meet; and a pair reaches any country. Now play a game of your own, with help if you want it.
