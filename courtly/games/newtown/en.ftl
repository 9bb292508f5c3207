newtown = The King’s New Town
    .tagline = Throw the dice, fit the blocks, house the people: a town grows around the castle.

## Moves

newtown-do-go = { $land_id ->
        [king] Go to the King’s land
       *[other] Go to { $land }
    }
    .log = { $land_id ->
        [king] { $name } goes to the King’s land
       *[other] { $name } goes to { $land }
    }
newtown-do-lawn = Green card: { $way_id ->
        [remove] leave out the { $die }
       *[double] count the { $die } twice
    }
    .log = { $way_id ->
        [remove] { $name } uses a green card: the { $die } is left out
       *[double] { $name } uses a green card: the { $die } counts twice
    }
newtown-do-block = Take the { $die }’s block
    .log = { $name } takes the { $die }’s block
newtown-do-gem = Take gems with the green die
    .log = { $name } takes gems with the green die
newtown-do-reroll = Re-roll white dice with the red die
    .log = { $name } uses the red die to roll white dice again
newtown-do-take = Take the card of land { $card }
    .log = { $name } takes the card of land { $card }
newtown-do-triple = Triple: three blocks and { $effect }
    .log = { $name } uses the triple: three equal blocks and { $effect }
newtown-do-plus = Blue card: { $die } + 1
    .log = { $name } uses a blue card: { $die } + 1
newtown-do-swap = Red card: exchange green and black
    .log = { $name } uses a red card: green and black are exchanged
newtown-do-mud = Yellow card: { $way_id ->
        [gain] gain a block of size 1
       *[return] return a block of size 1
    }
    .log = { $way_id ->
        [gain] { $name } uses a yellow card: gains a block of size 1
       *[return] { $name } uses a yellow card: returns a block of size 1
    }
newtown-do-finish = Done with the dice
    .log = { $name } is done with the dice
newtown-do-roll = Roll again: { $dice }
    .log = { $name } rolls again: { $dice }
newtown-do-stop = Keep the white dice
    .log = { $name } keeps the white dice
newtown-do-build = Build { $form }
    .log = { $name } builds { $form }
newtown-do-extend = Extend the { $which } house to { $form }
    .log = { $name } extends the { $which } house to { $form }
newtown-do-take_over = Take over the { $which } house: { $form }
    .log = { $name } takes over the { $which } house and makes it { $form }
newtown-do-lay = Use a block of size { $size }
    .log = { $name } uses a block of size { $size }
newtown-do-move = Pay a gem: roll the white dice and move on
    .log = { $name } pays a gem and rolls the white dice
newtown-do-end = End the turn
    .log = { $name } ends the turn
newtown-do-welcome = Take the resident card { $resident }
    .log = { $name } takes the resident card “{ $resident }”
newtown-do-inherit = Take over the resident card { $resident }
    .log = { $name } takes over the resident card “{ $resident }” with the house
newtown-do-accept = Take the gem
    .log = { $name } takes the gem of the bonus square
newtown-do-decline = Take nothing
    .log = { $name } takes nothing from the bonus square
newtown-do-lodge = { $resident } to { $house }
    .log = { $name } houses the { $resident }: { $house }
newtown-do-close = Done moving in
    .log = { $name } has housed the residents
newtown-do-plant = Throw { $number } dice for the new tree
    .log = { $name } throws { $number } dice for the new tree
newtown-do-draft = Take the { $colour } { $face }
    .log = { $name } takes the { $colour } { $face }
newtown-do-walk = Walk to { $land }
    .log = { $name } walks to { $land }
newtown-do-stay = Stay
    .log = { $name } stays
newtown-do-buy = Buy a block of size { $size }
    .log = { $name } buys a block of size { $size }
newtown-do-again = Roll the { $die } again
    .log = { $name } rolls the { $die } again
newtown-do-split = Split a block of size { $size }: one part of { $part }
    .log = { $name } splits a block of size { $size }: one part of { $part }
newtown-do-join = Join to size { $size }: one part of { $part }
    .log = { $name } joins two blocks to size { $size }: one part of { $part }
newtown-do-vote = { $more_id ->
        [yes] One more round
       *[no] No more round
    }
    .log = { $more_id ->
        [yes] { $name } wants one more round
       *[no] { $name } wants no more round
    }
newtown-do-pick = Pick up { $land }
    .log = { $name } picks up { $land }
newtown-do-settle = Lay it on place { $place }
    .log = { $name } lays it on place { $place }
newtown-do-aim = { $land_id ->
        [king] Choose the King’s land
       *[other] Choose { $land }
    }
    .log = { $land_id ->
        [king] { $name } chooses the King’s land
       *[other] { $name } chooses { $land }
    }
    .hidden = { $name } has chosen where to go
newtown-do-sow = Die for the tree
    .log = The tree’s die shows { $face }
newtown-do-pool = Die of the pool
    .log = In the pool: { $colour } { $face }
    .several = In the pool: { $list }
    .item = { $colour } { $face }
newtown-do-tile = Land
newtown-do-starter = Start player
    .log = { $player } is the first start player
newtown-do-land_card = New land card
    .log = New land card on offer: { $card }
newtown-do-resident = New resident card
    .log = New resident card on offer: { $resident }
newtown-do-die = Die
    .log = The { $die } shows { $face }
    .several = The dice show: { $list }
    .item = { $die } { $face }
newtown-do-arrive = Craftsman placed
    .log = { $land_id ->
        [king] { $player } goes to the King’s land
       *[other] { $player } goes to { $land }
    }
newtown-together = All craftsmen go to their lands
newtown-log-block = { $name } takes a block of size { $size } with the { $die }
newtown-log-build = { $name } builds on { $land }: { $form }
newtown-split-block = Split a block of size { $size } into { $part } and { $rest }
newtown-join-block = Join blocks of size { $part } and { $rest } to { $size }
newtown-log-split = { $name } splits a block of size { $size } into { $part } and { $rest }
newtown-log-join = { $name } joins blocks of size { $part } and { $rest } to { $size }
newtown-log-end = { $name } ends the last turn: final scoring
newtown-log-extend = { $name } extends the { $which } house on { $land }: { $form }
newtown-log-take_over = { $name } takes over the { $which } house on { $land } from { $owner }: { $form }
newtown-do-gift = Special die
    .log = { $resident }: the special die shows { $face }

## Names

newtown-land-3 = land 3
newtown-land-4 = land 4
newtown-land-5 = land 5
newtown-land-6 = land 6
newtown-land-7 = land 7
newtown-land-8 = land 8
newtown-land-9 = land 9
newtown-land-10 = land 10
newtown-land-11 = land 11
newtown-land-12 = land 12
newtown-land-13 = land 13
newtown-land-14 = land 14
newtown-land-15 = land 15
newtown-land-16 = land 16
newtown-land-17 = land 17
newtown-land-18 = land 18
newtown-land-king = the King’s land
newtown-card-3 = 3
newtown-card-4 = 4
newtown-card-5 = 5
newtown-card-6 = 6
newtown-card-7 = 7
newtown-card-8 = 8
newtown-card-9 = 9
newtown-card-10 = 10
newtown-card-11 = 11
newtown-card-12 = 12
newtown-card-13 = 13
newtown-card-14 = 14
newtown-card-15 = 15
newtown-card-16 = 16
newtown-card-17 = 17
newtown-card-18 = 18
newtown-house-3-1 = land 3, first house
newtown-house-3-2 = land 3, second house
newtown-house-4-1 = land 4, first house
newtown-house-4-2 = land 4, second house
newtown-house-5-1 = land 5, first house
newtown-house-5-2 = land 5, second house
newtown-house-6-1 = land 6, first house
newtown-house-6-2 = land 6, second house
newtown-house-7-1 = land 7, first house
newtown-house-7-2 = land 7, second house
newtown-house-8-1 = land 8, first house
newtown-house-8-2 = land 8, second house
newtown-house-9-1 = land 9, first house
newtown-house-9-2 = land 9, second house
newtown-house-10-1 = land 10, first house
newtown-house-10-2 = land 10, second house
newtown-house-11-1 = land 11, first house
newtown-house-11-2 = land 11, second house
newtown-house-12-1 = land 12, first house
newtown-house-12-2 = land 12, second house
newtown-house-13-1 = land 13, first house
newtown-house-13-2 = land 13, second house
newtown-house-14-1 = land 14, first house
newtown-house-14-2 = land 14, second house
newtown-house-15-1 = land 15, first house
newtown-house-15-2 = land 15, second house
newtown-house-16-1 = land 16, first house
newtown-house-16-2 = land 16, second house
newtown-house-17-1 = land 17, first house
newtown-house-17-2 = land 17, second house
newtown-house-18-1 = land 18, first house
newtown-house-18-2 = land 18, second house
newtown-house-king-1 = the King’s land, first house
newtown-house-king-2 = the King’s land, second house
newtown-form-2x2x1 = 2×2, one floor
newtown-form-2x2x2 = 2×2, two floors
newtown-form-2x2x3 = 2×2, three floors
newtown-form-2x3x1 = 2×3, one floor
newtown-form-2x3x2 = 2×3, two floors
newtown-form-2x3x3 = 2×3, three floors
newtown-form-2x4x1 = 2×4, one floor
newtown-form-2x4x2 = 2×4, two floors
newtown-form-2x4x3 = 2×4, three floors
newtown-form-3x3x1 = 3×3, one floor
newtown-form-3x3x2 = 3×3, two floors
newtown-form-3x3x3 = 3×3, three floors
newtown-form-3x3x1p = 3×3, one floor and penthouse
newtown-form-3x3x2p = 3×3, two floors and penthouse
newtown-form-3x3x3p = 3×3, three floors and penthouse
newtown-which-first = first
newtown-which-second = second
newtown-die-first = first white die
newtown-die-second = second white die
newtown-die-third = third white die
newtown-die-green = green die
newtown-die-red = red die
newtown-die-black = black die
newtown-dice-first = the first white die
newtown-dice-second = the second white die
newtown-dice-third = the third white die
newtown-dice-first-second = the first and second white dice
newtown-dice-first-third = the first and third white dice
newtown-dice-second-third = the second and third white dice
newtown-dice-all = all white dice
newtown-colour-white = white
newtown-colour-green = green
newtown-colour-red = red
newtown-colour-black = black
newtown-more-no = no
newtown-more-yes = yes
newtown-way-remove = leave out
newtown-way-double = count twice
newtown-way-gain = gain
newtown-way-return = return
newtown-effect-nothing = nothing more
newtown-effect-gem = gems
newtown-effect-reroll = re-rolls
newtown-effect-card = land cards
newtown-ground-lawn = high-class land (lawn)
newtown-ground-paved = commercial land (paving)
newtown-ground-brick = residential land (brick)
newtown-ground-mud = undeveloped land (mud)
newtown-ground-king = the castle’s ground
newtown-resident-r01 = travelling musician
newtown-resident-r02 = night watchman
newtown-resident-r03 = goatherd
newtown-resident-r04 = newly-weds
newtown-resident-r05 = retired couple
newtown-resident-r06 = grocers
newtown-resident-r07 = painter and pupil
newtown-resident-r08 = baker’s family
newtown-resident-r09 = mason’s family
newtown-resident-r10 = doctor’s household
newtown-resident-r11 = farm hands
newtown-resident-r12 = merchant’s household
newtown-resident-r13 = large family
newtown-resident-r14 = noble household
newtown-resident-r15 = prince and his wife
newtown-resident-r16 = princess’s parents

## Options

newtown-preset-simple = Simple rules (August 2018)
newtown-preset-original = Original rules (May 2018, partly reconstructed), for experts
newtown-preset-tuned = Tuned points of houses and residents
newtown-option-ruleset = Rules
    .value-0 = simple
    .value-1 = original, for experts
    .help = The original rules draft the dice, walk and pay in pips. They are known in part only; the gaps are filled in.
newtown-option-move_in = Original rules: residents
    .value-1 = move in at the end
    .value-0 = do not move in
    .help = The players may agree to leave out the moving in. The simple rules always have it.
newtown-option-extension_scoring = Extensions score
    .value-0 = the whole house and the land again
    .value-1 = only what the base points gained
    .help = The rules put building and extending under one heading; they do not mention a difference.
newtown-option-pattern_bonus = Lines and squares pay
    .value-2 = the builder, for all houses
    .value-0 = each house’s owner
    .value-1 = the builder, for their own houses
    .help = A point for each house, when four lands in a line or a square all have houses.
newtown-option-pattern_again = How often lines and squares pay
    .value-0 = once, when the last of the four lands is built on
    .value-1 = again for each further new house on them
    .help = Paid again, a second house on such a land brings a point for every house of its lines and squares.
newtown-option-one_card_per_house = Resident cards in a house
    .value-0 = as many as there are beds
    .value-1 = one at most
    .help = A house takes in as many people as it has base points.
newtown-option-finite_supply = Blocks
    .value-0 = without limit
    .value-1 = can run out
    .help = With a limit there are 30 blocks of size 1, 16 each of sizes 2 to 4, 12 each of sizes 5 and 6.
newtown-option-residents = Residents move in
    .value-0 = in the best way, by themselves
    .value-1 = as their owners decide
    .help = At the end of the game, before any special die is thrown.
newtown-option-once_per_turn = Building on the same house
    .value-0 = as often as blocks allow
    .value-1 = once in a turn
    .help = If you may do so repeatedly, three floors built one by one score more than three at once.
newtown-option-markers = Start players with two players
    .value-0 = A, B, B, A (the marker goes to the last square)
    .value-1 = A, B, A, B (the marker goes behind the other one)
    .help = After a round the start player’s marker goes to the last empty square. With three or four players both are the same.
newtown-option-dice_phase = The dice phase
    .value-0 = all at the same time
    .value-1 = in turn order
    .help = At the same time, those who may go to the King’s land choose together. Green cards wait for the player’s own turn.
newtown-option-lands = The lands are laid
    .value-0 = at random
    .value-1 = by the players, in turn
    .help = In turn, beginning with the start player, each picks one land and lays it on any empty place.
newtown-option-map = How the lands lie
    .value-0 = pinwheel
    .value-1 = cross
    .help = The shape of the sixteen lands around the King’s land.
newtown-option-tables = Points of houses and residents
    .value-0 = reconstructed
    .value-1 = tuned by simulation
    .help = No source gives these points. The tuned ones were chosen so that houses, and residents, help about equally to win.

## Why not

newtown-refusal-go-total = The white dice add up to another land.
newtown-refusal-king-dice = The King’s land needs three white dice alike or in sequence, none of them changed.
newtown-refusal-die-used = That die has been used.
newtown-refusal-two-blocks = You can take at most two blocks from dice in one turn.
newtown-refusal-same-size = You have taken a block of that size from the dice this turn.
newtown-refusal-no-block = There is no such block.
newtown-refusal-not-triple = That needs three coloured dice alike, none of them used.
newtown-refusal-card-none = You have no land card of that colour.
newtown-refusal-card-later = Your land card of that colour cannot be used now: it has been used, or it waits for the next round.
newtown-refusal-lawn-bounds = The white dice would then lead to no land.
newtown-refusal-six-is-most = No die can go above 6.
newtown-refusal-land-full = Two houses stand on this land already.
newtown-refusal-no-roof = You have no roof of that size left.
newtown-refusal-no-fit = Your blocks do not fill that house exactly.
newtown-refusal-not-larger = The house has to grow, in floors or in area.
newtown-refusal-no-gem = You have no gem to pay.
newtown-refusal-worked = That house has been built on this turn.
newtown-refusal-penthouse-owner = Only its owner may add a penthouse.
newtown-refusal-penthouse-closed = A house with a penthouse cannot be extended.
newtown-refusal-no-house = No such house stands here.
newtown-refusal-not-yours = That house belongs to another player: extending it means taking it over.
newtown-refusal-yours = That house is your own.
newtown-refusal-build-first = A gem moves you on only after you have built this turn.
newtown-refusal-not-in-row = That card is not on offer.
newtown-refusal-no-bed = There are not enough beds left in that house.
newtown-refusal-wrong-ground = They do not live on that ground.
newtown-refusal-too-far = Your green pips do not reach that far.
newtown-refusal-taken-land = Another craftsman stands there.
newtown-refusal-no-pips = You do not have enough pips left for that.
newtown-refusal-not-on-total = You build only on the land of your white dice.
newtown-refusal-two-players = The second house on the King’s land must be another player’s.
newtown-refusal-no-such-part = There is no such part of a block of that size.
newtown-refusal-not-in-pool = There is no such die in the pool.
newtown-refusal-have-those = You have all your dice of that colour.
newtown-refusal-die-changed = That die has been changed already.
newtown-refusal-row-empty = No land card lies face up.
newtown-refusal-lodged = They have moved in already.
newtown-refusal-one-card = Only one card’s residents may live in a house.
newtown-refusal-already-there = Your craftsman stands there already.
newtown-refusal-lawn-waits = Green cards are used in your own turn.

newtown-why-dice = First use your dice, then build where your craftsman stands: { $land }.
newtown-why-elsewhere = You build only where your craftsman stands.
newtown-why-no-new-house = Your blocks make no new house.
newtown-why-no-roofs = You have no roofs left for a new house.
newtown-why-no-extension = Your blocks do not extend it.
newtown-why-row-empty = no land cards on offer
newtown-card-for-black = You can take this card with your black die.
newtown-why-card-black = Land cards are taken with the black die.
newtown-why-card-black-used = Land cards are taken with the black die, and yours has been used.
newtown-why-card-used = It has been used in this round. In the next one it can be used again.
newtown-why-card-lawn = It changes a white die while you use your dice, before you build. The total must stay between 3 and 18.
newtown-why-card-paved = It raises a coloured die that shows 5 or less and has not been used.
newtown-why-card-brick = It can be used while neither the green nor the black die has been used.
newtown-why-card-mud = It can be used while you use your dice, and while you build.
newtown-why-resident = You choose a resident card after building a new house.

## What to do now

newtown-prompt-placing = Choose where your craftsman goes.
newtown-prompt-picking = Choose the land to lay next.
newtown-prompt-settling = Choose a place for { $land }.
newtown-prompt-aiming = Choose where your craftsman goes.
newtown-prompt-acting = Use your coloured dice: blocks or effects.
newtown-prompt-rerolling = Choose the white dice to roll again, or keep all.
newtown-prompt-taking = Choose a land card.
newtown-prompt-building = Build here, or end your turn.
newtown-prompt-building-none = Nothing fits here: end your turn?
newtown-prompt-laying = Choose the blocks for this house.
newtown-prompt-bonus-gem = You have passed { $at } points: take the gem?
newtown-prompt-bonus-card = You have passed { $at } points: choose a land card.
newtown-prompt-welcoming = Choose a resident card for your new house.
newtown-prompt-welcoming-from = Choose one of { $name }’s resident cards.
newtown-prompt-lodging = Residents move in: who lives where?
newtown-prompt-planting = Choose how many dice find the new tree’s land.
newtown-prompt-drafting = Take a die from the pool.
newtown-prompt-walking = Walk with your green pips, or stay.
newtown-prompt-managing = Spend red pips: blocks or new rolls.
newtown-prompt-voting = One more round?
newtown-help-picking = The players lay the lands around the King’s land, one at a time. { $n ->
        [one] One is left.
       *[other] { $n } are left.
    }
newtown-help-aiming = Your white dice are alike or in sequence, so the King’s land is open to you, too. When all have chosen, the craftsmen are placed together.
newtown-help-planting = The sum is the land that gets a tree: 2 to 12 with two dice (2: no tree), 4 to 24 with four (19 and more: the King’s land, which has one).
newtown-help-voting = One more round is played if more than half of the players want it.
newtown-help-walking = { $pips } green pips. A step costs one, into the King’s land two. Other craftsmen’s lands can only be passed. A tree where you stop gives a block of size { $round }.
newtown-help-managing = { $pips } red pips. A block costs its size; rolling one white die again costs one.
newtown-help-black = { $pips } black pips. A house costs the number of its size (2×2: 1, 2×3: 2, 2×4: 3, 3×3: 4); splitting a block or joining two costs one.
newtown-order = Order of play: { $names }
newtown-goal = the land of the white dice, to build on
newtown-goal-short = build
newtown-goals = The white dice let you build on: { $lands }
newtown-pips = Pips left: green { $green }, red { $red }, black { $black }
newtown-pips-left = pips left: { $n }
newtown-steps = { $n ->
        [one] 1 pip
       *[other] { $n } pips
    }
newtown-help-drafting = In this order, one die at a time: three white ones, and one of each colour.
newtown-elsewhere = You build only on the land of your white dice. Blocks you keep count for your next turn.
newtown-floors = Floor by floor, of blocks { $blocks }
newtown-laid = Laid so far
newtown-confirm-build = Build
newtown-confirm-extend = Extend
newtown-confirm-take_over = Take over
newtown-back = Back
newtown-taken = { $name } has taken over the house from { $loser } and paid a gem.
newtown-handed = With it goes this card:
newtown-pool-title = The pool
newtown-carve = Split or join blocks
newtown-help-taking = Choose one of the land cards on offer.
newtown-help-inheriting = With the house you take over one of these residents’ cards.
newtown-help-welcoming = Choose a resident card. They need not live in the house you have just built: all move in at the end of the game.

## The town

newtown-town = The town
newtown-turn-view = Turn the view
newtown-view-flat = Map
newtown-view-model = Model
newtown-king-short = King
newtown-points = { $n ->
        [one] { $n } point
       *[other] { $n } points
    }
newtown-tree = a tree
newtown-craftsmen = craftsman: { $names }
newtown-house-of = { $name }: { $form }, room for { $n }
newtown-land-brings = Building here: { $n ->
        [0] no points for the land.
        [one] { $n } point for the land.
       *[other] { $n } points for the land.
    }
newtown-king-brings = Open to three white dice alike or in sequence. Two gems for the first house, one for the second; everybody may live here.
newtown-chance = { $ways } of 216 rolls lead here.
newtown-tree-does = The tree gives a block of size { $n } on arrival and a point to a new house.
newtown-built-of = blocks { $blocks }
newtown-room-for = { $n ->
        [one] Room for one more house.
       *[other] Room for two houses.
    }
newtown-neighbours = How the lands lie, row by row
newtown-place = place { $place }, no land yet
newtown-unlaid = Lands still to be laid
newtown-starters = Start players from this round on: { $names }

## Dice

newtown-turn = Dice and turn
newtown-round = Round { $n }
newtown-round-of = Round { $n } of { $all }
newtown-start-player = starts
newtown-white-dice = White dice of { $name }: { $dice }, together { $n }
newtown-total = land of the white dice
newtown-total-or-king = land of the white dice, or the King’s land
newtown-left-out = out
newtown-used = used
newtown-used-mark = { " (used)" }
newtown-pick-die = White { $face }: roll it again
newtown-odds = How likely each land is
newtown-triple = Three { $n }s!
newtown-triple-help = Take three blocks of that size and one effect, or use the dice one by one.
newtown-take-block = block { $n }
newtown-why-two-blocks = no more blocks from dice
newtown-why-same-size = no second block of one size
newtown-why-no-block = none left
newtown-blocks-left = { $n ->
        [0] You have taken both blocks the dice may give; the rest are effects.
        [one] The dice may still give one block, of another size.
       *[other] The dice may give two blocks of different sizes; the rest are effects.
    }
newtown-gives-gem = { $n ->
        [one] 1 gem
       *[other] { $n } gems
    }
newtown-gives-reroll = re-roll, up to { $n }×
newtown-gives-take = { $n ->
        [one] 1 land card
       *[other] { $n } land cards
    }
newtown-choose-card = Choose a land card on offer
newtown-effect-help-green = A gem is a point at the end; after building it buys another roll; it pays for a take-over.
newtown-effect-help-red = White dice are rolled again; the craftsman goes where they say.
newtown-effect-help-black = Land cards: an ability each round, and up to 3 points at the end.
newtown-land-card = Land card:
newtown-from-now = It can be used at once.
newtown-from-next = It can be used from the next round on.
newtown-card-end = At the end: +3 with a house of your own there, +1 with others’ only, −1 with none.
newtown-unhoused-cost = Without a house: −{ $points }.
newtown-use-lawn = Green card: change a white die
newtown-use-lawn-help = Leave out one white die, or count it twice, and go there at once.
newtown-use-plus = Blue card: one pip more
newtown-use-swap = Red card: exchange green and black
newtown-use-mud = Yellow card: a block of size 1
newtown-reroll-help = { $n ->
        [one] One roll left. Dice with a frame are rolled again; a tap adds or removes the frame.
       *[other] { $n } rolls left. Dice with a frame are rolled again; a tap adds or removes the frame.
    }
newtown-roll = { $n ->
        [one] Roll one die again
       *[other] Roll { $n } dice again
    }

## Building

newtown-offers = What can be built here
newtown-new-houses = New houses
newtown-extend-own = Extend your { $form }
newtown-take-over = Take over from { $name }, for a gem: { $form }
newtown-nothing-fits = Your blocks build nothing here now. Blocks you keep count for your next turn.
newtown-patterns-to = to { $name }, lines and squares
newtown-persons = Room for { $n ->
        [one] { $n } person.
       *[other] { $n } people.
    }
newtown-then-resident = Then you choose a resident card.
newtown-then-take-over = You pay { $name } a gem and choose one of that player’s resident cards.
newtown-then-gems = { $n ->
        [one] The King gives a gem.
       *[other] The King gives { $n } gems.
    }
newtown-lay-help = { $form }: { $n ->
        [one] one cube is still to be filled.
       *[other] { $n } cubes are still to be filled.
    } Choose the next block. (Floor by floor, the ground floor first.)
newtown-block = block { $n }
newtown-latest = Latest building: { $house }
newtown-no-home = no house for them
newtown-source-base = base points
newtown-source-land = land
newtown-source-tree = tree
newtown-source-second = second house on the land
newtown-source-fifth = fifth house of your own
newtown-source-largest = largest house
newtown-source-lines = line of four lands
newtown-source-squares = square of four lands
newtown-source-blocks = blocks left over
newtown-source-cards = land cards
newtown-source-residents = residents
newtown-source-dice = special dice
newtown-source-gems = gems

## Cards and stock

newtown-market = Cards on offer
newtown-land-cards = Land cards
newtown-residents = Residents
newtown-deck = { $n } in the deck
newtown-empty = none
newtown-ability-lawn = green: leave out one white die or count it twice
newtown-ability-paved = blue: one pip more on a coloured die
newtown-ability-brick = red: exchange the green and the black die
newtown-ability-mud = yellow: gain or return a block of size 1
newtown-ability-short-lawn = skip or double
newtown-ability-short-paved = one pip more
newtown-ability-short-brick = swap
newtown-ability-short-mud = gain or return
newtown-at-end = at end
newtown-points-short = { $n ->
        [one] { $n } pt
       *[other] { $n } pts
    }
newtown-card-worth = { $n } at the end as things stand
newtown-card-ready = ready
newtown-card-later = next round
newtown-card-used = used
newtown-resident-facts = { $persons ->
        [one] { $persons } person
       *[other] { $persons } people
    }, { $points ->
        [one] { $points } point
       *[other] { $points } points
    }, lives on { $grounds } or the King’s land
newtown-special-help = on the King’s land add a die roll; without a house lose one
newtown-lives = lives on { $land }
newtown-whose = Show the holdings of
newtown-holdings = What { $name } has
newtown-blocks = Blocks
newtown-cubes = { $n ->
        [one] { $n } cube
       *[other] { $n } cubes
    }
newtown-gems = Gems
newtown-roofs = Roofs left
newtown-roofs-left = Roofs { $foot }: { $n }
newtown-none = none
newtown-house-count = { $n ->
        [one] { $n } house
       *[other] { $n } houses
    }
newtown-next-bonus = bonus at { $at }:
newtown-track-gem = at { $at } points: a gem
newtown-track-card = at { $at } points: a land card

## The end

newtown-from-building = from building
newtown-final = final score
newtown-end-of = Final count for { $name }
newtown-end-blocks = { $n ->
        [one] One block left over: −1
       *[other] { $n } blocks left over: −{ $n }
    }
newtown-end-no-blocks = No block left over: +1
newtown-end-card = Card of { $land }: { $points }
newtown-end-housed = { $resident } on { $land }: +{ $points }
newtown-end-unhoused = { $resident } without a house: −{ $points }
newtown-end-gift = { $resident }, special die: { $points }
newtown-end-gems = Gems: +{ $n }

## Reports

newtown-owned-house = House { $form }
newtown-owned-land = Land card { $card }
newtown-owned-resident = { $resident }
newtown-owned-gem = Gem

## Hints

newtown-counted-points = { $n } { $many ->
    [one] point
   *[other] points
  }
newtown-part-base = { newtown-source-base }
newtown-part-land = { newtown-source-land }
newtown-part-tree = { newtown-source-tree }
newtown-part-second = { newtown-source-second }
newtown-part-fifth = { newtown-source-fifth }
newtown-part-largest = { newtown-source-largest }
newtown-part-lines = { newtown-source-lines }
newtown-part-squares = { newtown-source-squares }
newtown-counted-gems = { $n } { $many ->
    [one] gem
   *[other] gems
  }
newtown-counted-blocks = { $n } { $many ->
    [one] block
   *[other] blocks
  }

## Lesson

newtown-lesson-goal = A town is growing around the King’s castle. In four rounds you throw dice, fit blocks into houses, and find people to live in them. Whoever has the most points of honour wins.
newtown-lesson-go = The white dice say where you may build: 1, 2 and 3 make land 6. A sequence would open the King’s land too, but look at 6: a lawn, where building counts 3 more, and a tree, which gives you a block at once. Go to 6.
    .other = The King’s land brings gems. But a lawn with a tree is a rare find: take it back and go to 6.
newtown-lesson-dice = The block from the tree is yours already. Each coloured die now gives a block of its size or has an effect: green a gem, red re-rolls, black a land card. At most two blocks, of different sizes. A block of 2 and a block of 4 make six, a whole house: take them from green and black, and finish.
    .other = Good to have too. But take it back: today you want to build, and a house needs the blocks 2 and 4.
newtown-lesson-build = Blocks must fill a house exactly, up to three floors high. Yours, 2 and 4, fill 2×3 on one floor. Build it.
    .other = Possible, but smaller. Take it back and build 2×3.
newtown-lesson-resident = Seven points at once: 2 for the house, 3 for the lawn, 1 for the tree, 1 for the largest house. And with every new house come people who want to live there. At the end they move in, and then their ground must be right and the house big enough. Choose anyone you like.
newtown-lesson-takeover = Two rounds later. On land 15 stands a house of { $rival }, and you have a block of 2, with which nothing new can be built. What beginners miss: extend that house! It becomes yours, for one gem, and its people come along.
    .other = Then the block would be left over. Take it back: choose { $rival }’s house, and extend it to 2×4.
newtown-lesson-taken = Six points with a single block: an extension scores the whole house as it now stands, and the ground again. { $rival } has your gem and one house less. Your own houses can be taken in the same way: a penthouse on top keeps one for good.
newtown-lesson-end = The final scoring comes after the fourth round: a block left over costs a point, a land card brings 3 with your house on its land, gems 1 each. Then your people move in; those who find no room cost their points.
newtown-lesson-own = You know enough to play. Three things to remember: a tree is worth a detour; large houses on good ground; and look at the houses of others that you could extend. Now play a game of your own, with help if you want it.
