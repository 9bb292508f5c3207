puppet = Puppet Kingdom
    .tagline = Draft two servants in secret, guess what the others hold, and pull the strings until the court is yours.

## Moves

puppet-do-keep = Keep the { $servant }
    .log = { $name } keeps the { $servant }
    .hidden = { $name } has chosen a servant
puppet-do-reveal = Turn up the { $servant }
    .log = { $name } turns up the { $servant }
puppet-do-gain = Effect: take { $amount } { $good_id ->
        [soldier] { $amount ->
            [one] soldier
           *[other] soldiers
        }
       *[other] { $good }
    }
    .log = { $name } receives { $amount } { $good_id ->
        [soldier] { $amount ->
            [one] soldier
           *[other] soldiers
        }
       *[other] { $good }
    }
puppet-do-kill = Kill the { $servant } of { $target }
    .log = { $name } names { $target }’s { $servant } with the Reaper
puppet-do-steal = Steal from the { $servant } of { $target }
    .log = { $name } names { $target }’s { $servant } with the Imp
puppet-do-offer = Effect: return { $goods } for honour
    .log = { $name } returns { $goods } for honour
puppet-do-clear = { $refill ->
        [1] Discard { $building } and turn up another
       *[other] Discard { $building }, turn up nothing
    }
    .log = { $refill ->
        [1] { $name } discards { $building } and turns up another building
       *[other] { $name } discards { $building } and leaves its place empty
    }
puppet-do-lead = Effect: take the first player marker
    .log = { $name } takes the first player marker
puppet-do-look = Effect: look at the top event
    .log = { $name } looks at the top event
puppet-do-put = { $where_id ->
        [top] Leave it on top
       *[other] Put it at the bottom
    }
    .log = { $where_id ->
        [top] { $name } leaves the event on top
       *[other] { $name } puts the event at the bottom
    }
puppet-do-rob = Effect: take 1 { $good_id ->
        [soldier] soldier
       *[other] { $good }
    } from the first player
    .log = { $name } takes 1 { $good_id ->
        [soldier] soldier
       *[other] { $good }
    } from the first player
puppet-do-decline = Decline the effect
    .log = { $name } declines the stolen effect
puppet-do-take = Take 1 { $good_id ->
        [soldier] soldier
       *[other] { $good }
    }
    .log = { $name } takes 1 { $good_id ->
        [soldier] soldier
       *[other] { $good }
    } from the bank
puppet-do-buy = Buy { $building }
    .log = { $name } buys { $building }
puppet-do-end = End the turn
    .log = { "" }
puppet-do-pay = Pay for { $building }
    .log = { $name } will pay the tax of { $building }
puppet-do-forgo = Give up { $building }
    .log = { $name } will give up { $building }
puppet-do-decide =
    .hidden = { $name } has decided about the tax

puppet-do-parent = First player
    .log = { $player } is the first player
puppet-do-build = Building
    .log = { $building } is turned up
puppet-do-deal = Servant dealt
    .log = { $name } is dealt the { $servant }
    .open = The { $servant } is dealt
puppet-do-event = Event
    .log = Event: { $event }
puppet-do-peek = Event seen
    .log = The event on top is: { $event }
    .joined = { $name } looks at the top event: { $event }
puppet-do-killed = Killed
    .log = { $player }’s { $servant } has been killed: the turn is over
puppet-do-stolen = Stolen
    .log = { $thief } has stolen the effect of { $player }’s { $servant }
puppet-do-missed = Missed
    .log = Another servant of { $player } was named: nothing happens
puppet-do-reward = Reward
    .log = { $player } receives { $amount } { $good_id ->
        [soldier] { $amount ->
            [one] soldier
           *[other] soldiers
        }
       *[other] { $good }
    }
puppet-do-paid = Tax paid
    .log = { $player } pays the tax of { $building }
puppet-do-lost = Building lost
    .log = { $player } does not pay and loses { $building }
puppet-do-nothing = No reward
    .log = The event rewards no one

puppet-together = All choose their servants

## Names

puppet-good-gold = gold
puppet-good-food = food
puppet-good-soldier = soldiers
puppet-good-honour = honour
puppet-goods-gold-gold = 2 gold
puppet-goods-food-food = 2 food
puppet-goods-soldier-soldier = 2 soldiers
puppet-goods-gold-food = 1 gold and 1 food
puppet-goods-gold-soldier = 1 gold and 1 soldier
puppet-goods-food-soldier = 1 food and 1 soldier
puppet-where-top = top
puppet-where-bottom = bottom

puppet-servant-alchemist = Alchemist
    .does = + { $n } gold
    .detail = { $doubles ->
        [1] Take { $n } gold from the bank. The Grimoire, while it is the newest event, doubles it; your General Store adds to it.
       *[other] Take { $n } gold from the bank. Your General Store and the Grimoire, while it is the newest event, add to it.
    }
puppet-servant-smith = Smith
    .does = + { $n } soldiers
    .detail = Take { $n } soldiers from the bank. Your Weapon Shop adds to it.
puppet-servant-cook = Cook
    .does = + { $n } food
    .detail = Take { $n } food from the bank. Your Dining Hall adds to it.
puppet-servant-reaper = Reaper
    .does = kill a servant
    .detail = Name another player and a servant. If that player turns it up later this round, the turn ends at once: no effect, no good, no building.
puppet-servant-elephant = Elephant Handler
    .does = 2 goods → { $n } honour
    .detail = Return any two basic goods, alike or not, and take { $n } honour.
puppet-servant-foundation = Foundation
    .does = change the row
    .detail = Discard one building of the row; then you may turn up another from the pile.
puppet-servant-general = General
    .does = become first player
    .detail = { $reorders ->
        [1] Take the first player marker. The second turns begin with you, even in this round.
       *[other] Take the first player marker. The turn order changes next round.
    }
puppet-servant-hermit = Hermit
    .does = look at the event
    .detail = Look at the top event, alone, and put it on top of the pile or at the bottom.
puppet-servant-imp = Imp
    .does = steal an effect
    .detail = Name another player and a servant. If that player turns it up later this round, you receive its effect; the rest of the turn stays with its player.
puppet-servant-princess = Princess
    .does = take { $n } from the first player
    .detail = Take { $n } honour, gold, soldier or food from the first player, as you choose. Of no use to the first player.

puppet-event-war = War
    .does = Whoever has the most soldiers gains { $n } honour; so does everyone tied.
puppet-event-tax = Tax
    .does = For each building pay its tax or lose it.
puppet-event-grimoire = Grimoire
    .does = { $doubles ->
        [1] While it is newest, the Alchemist brings twice as much.
       *[other] While it is newest, the Alchemist brings { $n } gold more.
    }
puppet-event-conscription = Conscription
    .does = Everyone gains { $n ->
        [one] 1 soldier
       *[other] { $n } soldiers
    }.

puppet-building-palace = Royal Palace
puppet-building-treasury = Treasury
puppet-building-garden = Palace Garden
puppet-building-quarry = Quarry
puppet-building-arena = Arena
puppet-building-botanic = Botanical Garden
puppet-building-ranch = Ranch
puppet-building-cathedral = Cathedral
puppet-building-barracks = Barracks
puppet-building-store = General Store
puppet-building-weapon = Weapon Shop
puppet-building-diner = Dining Hall
puppet-building-arch = Triumphal Arch
puppet-building-island = Lord’s Island
puppet-building-forest = Enchanted Forest
puppet-building-black = Black Market

puppet-category-royal = royal
puppet-category-large = large works
puppet-category-general = town
puppet-category-natural = nature
puppet-category-shadow = shadow

## Options

puppet-option-princess = The Princess
    .value-1 = in play
    .value-0 = left out
    .help = Ten servants, or nine. Without her it is easier to tell what the others hold: good for a first game.
puppet-option-general_reorders = The General in a first turn
    .value-0 = order unchanged
    .value-1 = second turns from the new first player
    .help = Does taking the marker change the order of the second turns in the same round?
puppet-option-grimoire_doubles = The Grimoire
    .value-0 = adds 1 gold
    .value-1 = doubles the Alchemist
    .help = What the Grimoire does is not known for certain; both readings can be played.
puppet-option-deduction = Help with deduction
    .value-0 = off
    .value-1 = on
    .help = Shows each player which servants the others can still hold, as far as that player can tell.
puppet-option-cards = Numbers on the cards
    .value-0 = reconstructed
    .value-1 = this server’s card file
    .value-2 = tuned by simulation
    .help = Costs, taxes and points are reconstructed: see the rules. If you own the game, you can enter the true ones in a file. The tuned ones were chosen by simulation so that the first player wins as often as the others.
puppet-option-round_limit = Round limit
    .value-0 = none
    .value-30 = 30 rounds
    .value-60 = 60 rounds
    .help = The game ends with that round at the latest; without a limit, with round 100.
puppet-preset-seed = Princess Wonder edition
puppet-preset-first-game = First game: no Princess, help with deduction
puppet-preset-tuned = Tuned numbers on the cards

## Why not

puppet-refusal-not-your-turn = It is not your turn.
puppet-refusal-draft-first = Choose a servant to keep first.
puppet-refusal-not-in-hand = That servant is not in your hand.
puppet-refusal-not-face-down = You do not have that servant face down.
puppet-refusal-reveal-first = Turn up a servant first.
puppet-refusal-already-revealed = You have turned up a servant this turn.
puppet-refusal-not-now = That cannot be done now.
puppet-refusal-effect-done = You have used the effect of this servant; it works once.
puppet-refusal-effect-stolen = The effect of this servant was stolen.
puppet-refusal-other-servant = That is the effect of another servant.
puppet-refusal-put-first = Put the event on top or at the bottom first.
puppet-refusal-no-such-amount = That is not what the effect brings.
puppet-refusal-yourself = Name another player, not yourself.
puppet-refusal-no-card-down = That player has no servant face down.
puppet-refusal-lies-open = That servant is already face up.
puppet-refusal-not-in-play = That servant is not in play.
puppet-refusal-not-enough = You do not have enough of these goods.
puppet-refusal-not-in-row = That building is not in the row.
puppet-refusal-you-are-parent = You are the first player: you cannot take from yourself.
puppet-refusal-parent-has-none = The first player has none of that.
puppet-refusal-steal-first = Take the stolen effect first, or decline it.
puppet-refusal-nothing-stolen = There is no stolen effect to decline.
puppet-refusal-took-already = You have taken a basic good this turn.
puppet-refusal-bought-already = You have bought a building this turn.
puppet-refusal-too-dear = You cannot pay the cost of that building.
puppet-refusal-no-tax-now = No tax is due now.
puppet-refusal-tax-first = Decide about your taxes first.
puppet-refusal-not-yours = That building is not yours.
puppet-refusal-no-tax-due = No tax is due for that building.
puppet-refusal-decided-already = You have decided about that building.

## What to do now

puppet-prompt-keep-first = Keep one servant; the other two go to { $name }.
puppet-prompt-keep-second = Keep one of these two; the other is laid in the centre.
puppet-prompt-reveal = Turn up one of your servants.
puppet-prompt-reveal-last = Turn up your second servant.
puppet-prompt-act = { $servant }: effect, basic good, building – in any order.
puppet-prompt-act-killed-effect = { $servant }: the effect cannot be used. You can still take a good and buy a building.
puppet-prompt-act-more = Take a good or buy a building, or end the turn.
puppet-prompt-end = End the turn.
puppet-prompt-steal = You have stolen the { $servant } of { $name }: take the effect.
puppet-prompt-put = Where does the event go?
puppet-prompt-tax = Tax: pay for each building, or give it up.

## The table

puppet-round = Round { $n }
puppet-round-of = Round { $n } of { $limit }
puppet-part-draft = Draft
puppet-part-first = First turn
puppet-part-second = Second turn
puppet-part-end = End
puppet-goal = { $n } points end the game
puppet-points = { $n } of { $goal } points
puppet-parent = First player
    .short = First
puppet-parent-detail = Acts first each round. Only the General moves the marker.
puppet-worth = { $n ->
        [one] 1 point
       *[other] { $n } points
    }
puppet-amount = { $n } { $good_id ->
        [soldier] { $n ->
            [one] soldier
           *[other] soldiers
        }
       *[other] { $good }
    }
puppet-no-goods = no goods

puppet-event-now = Event in force
puppet-event-none = No event yet
puppet-event-older = Also open
puppet-event-past = no longer in force
puppet-event-pile = In the pile
puppet-event-seen = { $event } ({ $where })
puppet-event-history = So far
puppet-event-shuffled = after the next event the pile is shuffled
puppet-event-top = on top, as you have seen
puppet-event-place = number { $n } from the top, as you have seen

puppet-row = Buildings for sale
puppet-row-pile = Pile: { $n }
puppet-row-discard = Discarded: { $n }
puppet-row-discarded = Discarded: { $names }
puppet-cost = Cost
puppet-tax = Tax
puppet-tax-none = none
puppet-untaxed-now = no tax
puppet-missing = You lack { $goods }
puppet-affordable = You can buy this
puppet-payable = You have enough for this
puppet-place-empty = empty until the end of the round
puppet-effect-helps = { $cause } brings its owner { $n } { $good_id ->
        [soldier] { $n ->
            [one] soldier
           *[other] soldiers
        }
       *[other] { $good }
    } more.
puppet-effect-untaxed = Its owner owes no tax, not even for this building.
puppet-effect-none = No effect.
puppet-short-untaxed = no taxes
puppet-own-cards = These numbers come from this server’s card file.
puppet-tuned-cards = These numbers were found by simulation; no source gives them.

puppet-last-round = last round
puppet-face-down = Face down
puppet-killed = killed
puppet-servant-met = { $servant } ({ $fate })
puppet-stolen = stolen
puppet-servants-of = Servants of { $name }
puppet-servants-hand = In your hand
puppet-servants-yours = Your servants
puppet-buildings-of = Buildings of { $name }
puppet-buildings-none = no buildings yet
puppet-mark-kill = { $by } → { $servant }: kill?
puppet-mark-steal = { $by } → { $servant }: steal?
puppet-mark-kill-detail = { $by } has named the { $servant } of { $target } with the Reaper.
puppet-mark-steal-detail = { $by } has named the { $servant } of { $target } with the Imp.
puppet-mark-hit = hit
puppet-mark-over = missed
puppet-can-hold = Can still hold
puppet-memory-passed = You passed on: { $servants }
puppet-memory-centre = In the centre: { $servant }
puppet-memory-received = You were given: { $servants }
puppet-waiting = Waiting for the others to choose.

puppet-act-effect = Effect
puppet-act-good = Basic good
puppet-act-building = Building
puppet-done = done
puppet-effect-none-now = The effect cannot be used now.
puppet-lacks-two-goods = You lack two basic goods to return.
puppet-lacks-face-down = No other player has a servant face down.
puppet-lacks-building = There is no building in the row.
puppet-played = played this round
puppet-building-none-now = Nothing you can pay for.
puppet-naming-whom = Whose servant?
puppet-naming-which = Which servant do you think { $name } holds?
puppet-naming-out = Cannot be there: { $servants }
puppet-give-up = Give up
puppet-choose-servant = Choose a servant
puppet-clear-which = Which building goes?
puppet-clear-refill = Refill
puppet-clear-leave = Leave empty
puppet-sure = You have not taken a basic good. End the turn anyway?
puppet-sure-yes = End the turn
puppet-back = Back
puppet-seen-event = You see: { $event }

puppet-seat-servants = { $n ->
        [one] 1 servant face down
       *[other] { $n } servants face down
    }
    .short = { $n } face down
puppet-seat-choosing = choosing
puppet-seat-chosen = has chosen

puppet-outcome-made = { $honour } honour + { $buildings } for buildings
puppet-outcome-building = { $building } { $n }
puppet-outcome-honour-tie = Equal points: { $name } has the least honour and wins.
puppet-outcome-parent-tie = Equal points and honour: { $name } has the first player marker and wins.
puppet-outcome-clockwise-tie = Equal points and honour: { $name } comes first clockwise from the first player and wins.
puppet-outcome-most = { $name } has the most points.
puppet-outcome-places = Equal points: less honour is placed first, then the seats clockwise from the first player.
puppet-outcome-limit = The round limit is reached.

## Reports

puppet-owned-building = { $building }

## Hints

puppet-counted-points = { $n } { $many ->
    [one] point
   *[other] points
  }
puppet-part-honour = honour
puppet-part-buildings = buildings
puppet-counted-gold = { $n } gold
puppet-counted-food = { $n } food
puppet-counted-soldier = { $n } { $many ->
    [one] soldier
   *[other] soldiers
  }
puppet-counted-honour = { $n } honour

## Lesson

puppet-lesson-goal = Servants gather goods for you, and with goods you put up buildings. Buildings and honour are points. Whoever has 10 points at the end of a round ends the game. You hold the first player marker: you act first.
puppet-lesson-draft = Every round begins in secret. Of three servants you keep one, face down, and pass the other two to { $rival }. The Alchemist brings 2 gold: keep him.
    .other = Good servants, both of them. But for the first round keep something that brings goods: take it back, and keep the Alchemist.
puppet-lesson-second = { $third } has passed two to you. Keep one of these as well; the other goes face down to the centre, and nobody uses it this round. The Princess takes from the first player, but that is you. The Smith brings 2 soldiers: keep him.
    .other = The Princess takes something from the first player, and that is you: she would do nothing. Take it back and keep the Smith.
puppet-lesson-reveal = Now each player has two servants face down, and no one knows the others’. In turn, each player turns up one, and later the second. You begin: turn up the Alchemist.
    .other = That is allowed. For now take it back and begin with the Alchemist.
puppet-lesson-three = In your turn you may do three things once each, in any order: use the servant’s effect, take a basic good, buy a building. What beginners forget is the basic good. Take your 2 gold, take 1 soldier as well, and end your turn.
    .other = The Dining Hall costs 2 gold and 2 soldiers. Take it back: take the Alchemist’s 2 gold and, for the basic good, a soldier.
puppet-lesson-named = { $rival } has turned up the Imp, and guessed: { $rival } wants to steal what your Smith brings. You say nothing. Everyone will see whether it is true when you turn him up, and now you must.
puppet-lesson-stolen = A hit! The Smith’s 2 soldiers went to { $rival }. But only the effect is stolen, the rest of the turn is yours. Take a soldier as your basic good: then 2 gold and 2 soldiers are enough for the Dining Hall. Buy it, and end your turn.
    .other = Take it back. Then, in this order: take a soldier, buy the Dining Hall for 2 gold and 2 soldiers, end your turn.
puppet-lesson-round = The others have had their second turns. { $rival }’s Reaper hit the Elephant Handler of { $third }: that turn was over at once. Then came an event, War: whoever has the most soldiers gains 1 honour. You have 1 point, and a new round begins.
puppet-lesson-guess = Another round. You passed the Cook and the Imp to { $rival }: one of them is face down there, the other in the centre. So a guess is right half the time. Turn up the Reaper and name one of the two.
    .other = You know what you passed: the Cook and the Imp. Take it back, turn up the Reaper, and name one of them at { $rival }.
puppet-lesson-shown = Was it right? You will see when { $rival } turns that servant up. And remember it the other way round: { $third } knows which two cards you could choose from.
puppet-lesson-own = You know enough to play. Three things to remember: take a basic good in every turn; name what you passed on; and turn up early what others may want to steal. Now play a game of your own, with help if you want it.
