petition = To Court the King
    .tagline = Roll, keep, roll again: win over the court, from the maid to the royal couple.

## Moves

petition-do-keep = { $times ->
       *[1] Keep a { $face }
        [other] Keep { $times } × { $face }
    }
    .log = { $times ->
       *[1] { $name } keeps a { $face }
        [other] { $name } keeps { $times } × { $face }
    }
petition-do-roll = Roll
    .log = { $name } rolls
petition-do-finish = All dice are kept: finish
    .log = { $name } is done rolling
petition-do-claim = { $card_id ->
        [king] Take the King and the Queen
        [charlatan] Flip the Fool: Charlatan
       *[other] Claim { $card }
    }
    .log = { $card_id ->
        [king] { $name } takes the King and the Queen: the next round is the last
        [charlatan] { $name } flips the Fool to a Charlatan
       *[other] { $name } claims the { $card }
    }
petition-do-pass = Claim nothing
    .log = { $name } claims nothing
petition-do-concede = Give up the last roll
    .log = { $name } gives up the last roll
petition-do-add = { $card }: add a die
    .log = { $name } adds the { $card }’s die
petition-do-queen = Queen: add { $face }
    .log = { $name } uses the Queen: adds { $face }
petition-do-fool = Fool: re-roll { $face }
    .log = { $name } uses the Fool: re-rolls { $face }
petition-do-merchant = { $times ->
       *[1] Merchant: re-roll { $face } as well
        [other] Merchant: re-roll { $times } × { $face } as well
    }
    .log = { $times ->
       *[1] { $name } picks a { $face } for the Merchant
        [other] { $name } picks { $times } × { $face } for the Merchant
    }
petition-do-maid = Maid: { $face } + { $plus }
    .log = { $name } uses the Maid: { $face } + { $plus }
petition-do-philosopher = Philosopher: { $pips ->
        [one] 1 pip
       *[other] { $pips } pips
    } from { $giver } to { $receiver }
    .log = { $name } uses the Philosopher: { $pips ->
        [one] 1 pip
       *[other] { $pips } pips
    } from { $giver } to { $receiver }
petition-do-astronomer = Astronomer: { $face } becomes { $to }
    .log = { $name } uses the Astronomer: { $face } becomes { $to }
petition-do-magician = Magician: { $face } becomes { $to }
    .log = { $name } uses the Magician: { $face } becomes { $to }
petition-do-noblewoman = { $times ->
       *[1] Noblewoman: { $face } + 1
        [other] Noblewoman: raise { $times } × { $face } by 1
    }
    .log = { $times ->
       *[1] { $name } raises { $face } by 1 with the Noblewoman
        [other] { $name } raises { $times } × { $face } by 1 with the Noblewoman
    }
petition-do-nobleman = { $times ->
       *[1] Nobleman: { $face } + 2
        [other] Nobleman: raise { $times } × { $face } by 2
    }
    .log = { $times ->
       *[1] { $name } raises { $face } by 2 with the Nobleman
        [other] { $name } raises { $times } × { $face } by 2 with the Nobleman
    }
petition-do-alchemist = { $times ->
       *[1] Alchemist: take { $face }
        [other] Alchemist: take { $times } × { $face }
    }
    .log = { $times ->
       *[1] { $name } picks a { $face } for the Alchemist
        [other] { $name } picks { $times } × { $face } for the Alchemist
    }
petition-do-turn = { $times ->
       *[1] New face { $face }
        [other] New faces { $times } × { $face }
    }
    .log = { $times ->
       *[1] { $name }’s Alchemist makes a { $face }
        [other] { $name }’s Alchemist makes { $times } × { $face }
    }
petition-do-done = Done choosing
    .log = { $name } has chosen the dice
petition-do-die = Die
    .log = The die shows { $face }
    .several = The dice show { $list }
    .item = { $times ->
       *[1] { $face }
        [other] { $times } × { $face }
    }
petition-do-start = Start player
    .log = { $player } is the start player

## Characters: what they need, do, and both in a sentence

petition-card-fool = Fool
    .need = nothing
    .does = re-roll one die
    .detail = Any result will do, as long as you hold no other Fool face up. Once a turn: re-roll one active die that was rolled. It does not count as a roll.
petition-card-charlatan = Charlatan
    .need = flip your Fool
    .does = start with one more die
    .detail = Instead of claiming another character, flip your Fool. You lose the re-roll and start every turn with one more die. You may then claim a Fool again.
petition-card-farmer = Farmer
    .need = a pair
    .does = start with one more die
    .detail = Needs two equal dice. You start every turn with one more die, whether you want it or not.
petition-card-maid = Maid
    .need = all odd
    .does = one die + 1, 2 or 3
    .detail = Needs a result of odd dice only. Once a turn: add 1, 2 or 3 to one active die, up to 6.
petition-card-philosopher = Philosopher
    .need = all even
    .does = move pips between two dice
    .detail = Needs a result of even dice only. Once a turn: take pips off one active die and add them to another; both stay between 1 and 6.
petition-card-laborer = Laborer
    .need = sum 15 or more
    .does = add a 1
    .detail = Needs a sum of at least 15. Once a turn: add a die showing 1 to your active dice.
petition-card-guard = Guard
    .need = three equal
    .does = add a 2
    .detail = Needs three equal dice. Once a turn: add a die showing 2 to your active dice.
petition-card-hunter = Hunter
    .need = four equal
    .does = add a 3
    .detail = Needs four equal dice. Once a turn: add a die showing 3 to your active dice.
petition-card-astronomer = Astronomer
    .need = two pairs
    .does = one die copies a kept one
    .detail = Needs two pairs; four equal dice count. Once a turn: change one active die to a face you have already kept.
petition-card-merchant = Merchant
    .need = sum 20 or more
    .does = re-roll any number of dice
    .detail = Needs a sum of at least 20. Once a turn: re-roll as many active dice as you like, together. It does not count as a roll.
petition-card-noblewoman = Noblewoman
    .need = full house
    .does = any number of dice + 1
    .detail = Needs three equal and two equal dice; five equal count. Once a turn: add 1 to as many active dice as you like, up to 6.
petition-card-pawnbroker = Pawnbroker
    .need = sum 30 or more
    .does = add a 4
    .detail = Needs a sum of at least 30. Once a turn: add a die showing 4 to your active dice.
petition-card-knight = Knight
    .need = five equal
    .does = add a 5
    .detail = Needs five equal dice. Once a turn: add a die showing 5 to your active dice.
petition-card-magician = Magician
    .need = straight of five
    .does = one die becomes any face
    .detail = Needs 1 to 5 or 2 to 6. Once a turn: change one active die to any face.
petition-card-alchemist = Alchemist
    .need = straight of six
    .does = change 2 or 3 dice, same sum
    .detail = Needs all faces from 1 to 6. Once a turn: give two or three active dice new faces between 1 and 6 with the same sum.
petition-card-bishop = Bishop
    .need = three pairs
    .does = add a 6
    .detail = Needs three pairs; four equal count as two pairs, six as three. Once a turn: add a die showing 6 to your active dice.
petition-card-nobleman = Nobleman
    .need = two triples
    .does = any number of dice + 2
    .detail = Needs three equal dice twice; six equal count. Once a turn: add exactly 2 to as many active dice as you like, none beyond 6.
petition-card-general = General
    .need = six equal
    .does = start with two more dice
    .detail = Needs six equal dice. You start every turn with two more dice, whether you want them or not.
petition-card-king = King
    .need = seven equal
    .does = brings the last round
    .detail = Needs seven equal dice. Whoever takes him first gets the Queen too, and the last round follows: the best group of equal dice wins the King and the game.
petition-card-queen = Queen
    .need = comes with the King
    .does = add any face
    .detail = Goes to whoever first takes the King, and stays. In the last round: add a die showing any face. Her holder rolls last, and equal is enough to win.

petition-family-start = more dice to start with
petition-family-adds = adds a die
petition-family-turns = changes dice
petition-family-rolls = re-rolls dice
petition-family-royal = the royal couple

## The table

petition-court = The court
petition-court-of = Court of { $name }
petition-court-empty = nobody yet
petition-level = { $level ->
    [0] Level 0
    [1] Level I
    [2] Level II
    [3] Level III
    [4] Level IV
   *[other] Level V
 }
petition-needs = Needs
petition-does = Power
petition-copies = { $n ->
    [0] none left
   *[other] { $n } left
 }
petition-copies-unlimited = no limit
petition-times = { $n } × { $card }
petition-owners = Held by { $names }
petition-owned = at your court
petition-used = used this turn
petition-claimable-now = Your dice can claim: { $cards }
petition-claimable-none = Your dice claim nobody yet.
petition-round = Round { $n }
petition-round-of = Round { $n } of { $limit }
petition-last-round = Last round
petition-start-player = Start player
petition-active = Active dice
petition-aside = Dice kept
petition-taken = Dice in use
petition-rolling = { $n ->
    [one] 1 die to roll
   *[other] { $n } dice to roll
 }
petition-none = none
petition-dice-left = { $n ->
    [0] no dice left in the stock
    [one] 1 die left in the stock
   *[other] { $n } dice left in the stock
 }
petition-group = { $count } × { $face }
petition-standing = { $points ->
    [0] –
   *[other] { $tens } × { $ones }
 }
petition-best-group = Best group: { $count } × { $face }
petition-sum = Sum { $n }
petition-keep-these = { $n ->
    [one] Keep 1 die
   *[other] Keep { $n } dice
 }
petition-confirm-pass = Claim nothing? You could claim: { $cards }
petition-confirm-concede = Really give up the last roll?

## What to do now

petition-prompt-before = Roll, or add dice first: they join the roll and lose their face.
petition-prompt-before-last = Roll, or give up the last roll.
petition-prompt-keep = Keep at least one die before you roll again.
petition-prompt-roll-or-keep = Roll the { $n ->
    [one] active die
   *[other] { $n } active dice
 } again, or keep more.
petition-prompt-finish = All dice are kept. Finish, or add one more.
petition-prompt-claim = Claim one character.
petition-prompt-claim-nothing = These dice claim nobody this time.
petition-prompt-fool = Fool: choose the die to re-roll.
petition-prompt-merchant = Merchant: choose the dice to re-roll.
petition-prompt-maid = Maid: choose a die and how much to add.
petition-prompt-philosopher-giver = Philosopher: choose the die that gives pips.
petition-prompt-philosopher-receiver = Philosopher: choose the die that receives them.
petition-prompt-philosopher-pips = Philosopher: choose how many pips to move.
petition-prompt-astronomer = Astronomer: choose a die and the kept face it copies.
petition-prompt-magician = Magician: choose a die and its new face.
petition-prompt-queen = Queen: choose the face of the new die.
petition-prompt-noblewoman = Noblewoman: choose the dice to raise by 1.
petition-prompt-nobleman = Nobleman: choose the dice to raise by 2.
petition-prompt-alchemist = Alchemist: choose two or three dice.
petition-prompt-alchemist-turn = Alchemist: choose the new faces, lowest first; the sum stays { $sum }.

petition-banner-king = { $name } has taken the King with { $count } × { $face }. After this round comes the last one.
petition-banner-last = Last round: the best group of equal dice wins.
petition-banner-mark = To beat: { $count } × { $face } ({ $name })
petition-banner-better = You need more than { $count } equal dice, or { $count } with a higher face than { $face }.
petition-banner-bigger = You need more than { $count } equal dice.
petition-banner-equal = Equal is enough for you: { $count } × { $face } wins.
petition-banner-order = Still to roll: { $names }
petition-banner-limit = After round { $limit } the game is drawn, unless someone takes the King.

petition-phase-before = Before the first roll
petition-phase-acting = Keep, use characters, roll again
petition-phase-power = A character is being used
petition-phase-claiming = Claim

## Players

petition-seat-dice = { $n ->
    [one] starts with 1 die
   *[other] starts with { $n } dice
 }
    .short = { $n ->
        [one] 1 die
       *[other] { $n } dice
    }
petition-seat-cards = { $n ->
    [0] no characters
    [one] 1 character
   *[other] { $n } characters
 }
petition-seat-start = start player
petition-seat-king = holds the King
petition-seat-queen = holds the Queen, rolls last
petition-seat-to-roll = still to roll

## The end

petition-outcome-wins = { $name } wins the King with { $count } × { $face }.
petition-turn-result = { $king ->
        [yes] { $name } takes the King with { $count } × { $face }
       *[no] { $name } reaches { $count } × { $face }: not enough for the King
    }
petition-outcome-draw = Nobody took the King in { $limit } rounds: the game is drawn.
petition-outcome-kept = keeps the King: nobody did better
petition-outcome-taken = better than all before
petition-outcome-equal = equal, which is enough for the holder of the Queen
petition-outcome-result = { $count } × { $face }
petition-outcome-conceded = gave up the last roll

## Options

petition-preset-seed = Japanese rules
petition-preset-english-2007 = English rules 2007
petition-option-early_powers = Add dice before the first roll
    .value-1 = allowed
    .value-0 = not allowed
    .help = Characters that add a die may be used before the first roll. The die is rolled with the rest and loses its face.
petition-option-fools = Fools
    .value-1 = one for each player
    .value-0 = no limit
    .help = A flipped Fool stays with its player as a Charlatan and is not replaced, unless there is no limit.
petition-option-fool_rerolls = Dice that the Fool re-rolls
    .value-0 = only those that were rolled
    .value-1 = also added ones
    .help = The rules say “just rolled”. Taken literally, a die that was added and not rolled since cannot be re-rolled.
petition-option-dice_limit = Dice
    .value-12 = 12, as in the box
    .value-30 = practically no limit (30)
    .help = How many dice one player may use at once. Further dice cannot be added.
petition-option-first_player = Start player
    .value-0 = drawn by lot
    .value-1 = seat 1
    .value-2 = seat 2
    .value-3 = seat 3
    .value-4 = seat 4
    .value-5 = seat 5
    .help = At a smaller table the count goes round.
petition-option-round_limit = Limit of rounds
    .value-0 = none
    .value-20 = 20 rounds
    .value-30 = 30 rounds
    .value-40 = 40 rounds
    .help = If nobody has taken the King by the end of that round, the game is drawn. Without a limit that is round 100.

## Why not

petition-refusal-not-your-turn = It is not your turn.
petition-refusal-no-such-die = There is no such active die.
petition-refusal-only-added = That die was added and has not been rolled: the Fool cannot re-roll it.
petition-refusal-keep-first = Keep at least one die before you roll again.
petition-refusal-nothing-to-roll = There is no active die to roll.
petition-refusal-dice-left = Keep the remaining dice first, or roll them.
petition-refusal-not-owned = That character is not at your court.
petition-refusal-already-used = That character has been used this turn.
petition-refusal-no-dice-left = No die is left in the stock.
petition-refusal-not-rolled-yet = Roll first.
petition-refusal-not-before-roll = By the English rules no character is used before the first roll.
petition-refusal-power-in-use = Finish with the character you are using first.
petition-refusal-no-power-in-use = No character is being used.
petition-refusal-too-high = No die can go above 6.
petition-refusal-too-low = No die can go below 1.
petition-refusal-no-change = That would change nothing.
petition-refusal-two-dice = That takes two active dice.
petition-refusal-not-aside = You have kept no die with that face.
petition-refusal-wrong-sum = With that the sum cannot stay the same, or nothing would change.
petition-refusal-not-ascending = Give the new faces from the lowest to the highest.
petition-refusal-claim-now = All dice are kept: claim a character, or choose “Claim nothing”.
petition-refusal-keep-all-first = First keep all dice, then claim.
petition-refusal-nothing-claimed-now = In the last round no character is claimed.
petition-refusal-requirement = Your dice do not meet what that character needs.
petition-refusal-none-left = No copy of that character is left.
petition-refusal-already-owned = That character is at your court already.
petition-refusal-needs-fool = You have no Fool to flip.
petition-refusal-has-fool = Flip the Fool you have before you take another.
petition-refusal-king-taken = The King has been taken.
petition-refusal-only-in-last-round = Only in the last round can you give up your roll.
petition-refusal-too-late = You have begun to roll: too late to give up.

petition-reach-keep = Your dice are enough. Keep them all, then claim.
petition-lacks-dice = That takes { $n } dice; you have { $have ->
    [one] one
   *[other] { $have }
 }.
petition-lacks-sum = { $n } more on the dice, and the sum is reached.
petition-lacks-faces = Still missing: { $faces }.
petition-lacks-odd = Not odd yet: { $faces }.
petition-lacks-even = Not even yet: { $faces }.
petition-lacks-groups = Still missing: { $groups }.
petition-lacks-more = { $n } more showing { $face }
petition-lacks-equal = { $n } equal dice
petition-unusable-roll = roll first
petition-unusable-stock = no die left in the stock
petition-unusable-active = no active dice
petition-unusable-high = no active die below { $face ->
    [4] 5
   *[other] 6
 }
petition-unusable-two = takes two active dice
petition-unusable-same = nothing would change
petition-unusable-keep = keep a die first
petition-unusable-rolled = no die just rolled

## On the board

petition-dice = Dice
petition-die = Die { $face }
petition-die-becomes = Die { $face }, becomes { $to }
petition-choose = Choose the new faces
petition-roll = { $n ->
    [one] Roll 1 die
   *[other] Roll { $n } dice
 }
petition-keep-finish = { $n ->
    [one] Keep it and finish
   *[other] Keep all { $n } and finish
 }
petition-keep-roll = Keep { $n }, roll { $rest }
petition-keep-roll-none = Choose dice to keep
petition-use = Use the { $name }
petition-use-merchant = { $n ->
    [one] Re-roll 1 die
   *[other] Re-roll { $n } dice
 }
petition-used-short = used
petition-mark = To beat
petition-best = Best
petition-rolling-now = rolling now
petition-outcome-first = took the King first: keeps the Queen and rolls last
petition-challenge-won = takes the King
petition-outcome-not-better = not better
petition-reach-short = in reach
petition-odds = { $percent } %
petition-odds-more = ≥ { $percent } %
petition-odds-of = Chance this turn
    .short = chance
petition-odds-alone = Chance this turn, if you roll for it alone: { $odds }
petition-odds-help = Chance this turn, if you roll for it alone: { $odds }. Powers that you can still use may make it better.
petition-outcome-earlier = If groups are equal, the one rolled first is better.

## Reports

petition-owned-character = { $card }

## Hints

petition-counted-characters = { $n } { $many ->
    [one] character
   *[other] characters
  }

## Lesson

petition-lesson-goal = Whoever holds the King at the end wins. It takes seven equal dice to win him, and you begin with three. So win over the people of the court one by one: each of them helps you from your next turn on.
petition-lesson-keep = These three dice are your first roll. After every roll you must keep at least one die, and a kept die never changes again. Two 4s are a fine beginning: pick both, keep them, and roll the third once more.
    .other = That is allowed. But equal dice are worth most, so take it back and keep both 4s.
petition-lesson-result = A third 4! Keep it too. When all dice are kept, they are your result.
petition-lesson-claim = Your result wins one character, no more. Three equal dice would do for the Guard, even dice for the Philosopher, and a pair for the Farmer. Take the Farmer: he brings one more die to every turn. Dice first, that is the whole secret of the beginning.
    .other = A good helper too. But without more dice you will never see seven equal ones: take it back and claim the Farmer.
petition-lesson-farmer = { $rival } was last in this round and first in the next, and so had two turns in a row. Now it is your turn again, and you roll four dice instead of three: that is the Farmer’s help.
petition-lesson-added = Some rounds later. You have kept two 2s and rolled a 5 and a 3, which do not fit. Must you keep one of them? No: use the Guard. His die shows a 2. Keep that one, and roll the 5 and the 3 again.
    .other = Then a die that does not fit would stay for good. Take it back: use the Guard first, and keep his 2.
petition-lesson-change = What luck: another 2, and a 1. Characters that change a die are worth most on the last one that will not fit. The Maid adds 1 to the 1. Then keep everything.
    .other = The Maid can make a fifth 2 of the 1. Take it back and use her first.
petition-lesson-more = Five equal dice! That wins the Knight, who adds a die to every turn. What needs more of the dice mostly gives more, and there are few of each character, so do not wait too long.
    .other = A fair choice. But few results are as good as five equal dice: take it back and claim the Knight.
petition-lesson-last = The last round. { $rival } took the King with seven 3s, and from now on no characters are claimed: you take the King by rolling better. You have six 4s and a 1 that will not fit. Seven 4s would beat seven 3s. You know who can do that.
    .other = Six 4s are not enough. Take it back and let the Magician turn the 1 into a 4.
petition-lesson-queen = The King is yours! More equal dice win, and on a tie the higher face. But { $rival } holds the Queen and rolls last, and for her holder equal is enough. So make the mark as high as you can.
petition-lesson-own = You know enough to play. Three things to remember: dice first; let an added die be the one you keep; and change dice at the end of a turn. Now play a game of your own, with help if you want it.
