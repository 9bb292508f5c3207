### The texts of the laboratory’s pages.

report-title = { $game }: a report
report-eyebrow = From the laboratory
report-language = Language
report-players = { $n ->
    [1] 1 player
   *[other] { $n } players
 }
report-sample = { $n } games
report-made = { $games } games at each number of players, all played by the bot “{ $bot }”, by version { $version } of the rules, from seed { $seed }.
report-options = Options of the table: { $options }.
report-other-numbers = Played with the numbers of { $file } instead of the game’s own.
report-policy = Policy
report-policy-slips = Policy, 1 in { $n } random
report-policy-help = The policy plays what comes first in the game’s own list of preferences, and does not look ahead.
report-at-random = All moves are drawn at random, so this shows what the rules make possible, and little of how good players would fare.
report-read = Every figure comes with its 95% interval: if all of this were played again with other luck, 95 of 100 such intervals would contain the true figure.

## At a glance

report-glance = At a glance
report-decisions = Decisions in a game
report-turns = Turns
report-events = Random events
report-minutes = Minutes, estimated
report-box = { $minutes } on the box
report-first = The first player wins
report-margin = Points ahead in the end
report-tied = Victory is shared
report-decided = Decided after this part of the game
report-always = The winner was never behind
report-leads = The lead changes hands
report-forced = Decisions without a choice
report-branching = Moves to choose among
report-even = { $share } if all are equal

## Length

report-length = How long is a game?
report-length-said = Half of all games take { $low } to { $high } decisions, and one in twenty more than { $long }. That makes { $minutes } minutes on average.
report-length-note = A decision with a choice is taken to last { $choice } seconds, one without, and every random event, { $rest }.
report-plots-note = In every picture the middle half of all games has the full colour, and the dashed line is the median.
report-length-axis = Decisions in a game

## Seats

report-seats = Does it matter where you sit?
report-by-order = By order of play
report-by-seat = By seat
report-place = { $n ->
    [1] plays first
    [2] plays second
    [3] plays third
    [4] plays fourth
    [5] plays fifth
   *[other] plays sixth
 }
report-order = { $n ->
    [1] First
    [2] Second
    [3] Third
    [4] Fourth
    [5] Fifth
   *[other] Sixth
 }
report-seats-differ = It does. Whoever { $best } wins { $much }, whoever { $worst } { $little }. If all were equal, chance alone would make such a difference with { $p }.
report-seats-equal = No difference is visible. All win between { $little } and { $much }; if all were equal, a difference like this would be no surprise ({ $p }).
report-seats-test = If all seats were equal, chance alone would make such a difference with { $p }.
report-ranges-note = A dot is the figure, the bar its interval, the thin line what all would have if they were equal. Figures that differ from it are coloured.

## Points

report-scores = How many points, and how far ahead?
report-points-axis = Points of every player
report-margin-axis = Points between the first and the second
report-points-said = Half of all players have { $low } to { $high } points in the end.
report-margin-said = The first is { $margin } points ahead on average; in every tenth game by no more than { $close }, in every tenth by { $far } or more.

## When it is decided

report-drama = When is it decided?
report-drama-axis = Percent of the game after which the winner was never behind
report-drama-said = In { $always } of games the winner was never behind, in { $late } the last tenth decided. The lead changed hands { $leads } times. Winners had been { $behind } points behind at worst, on average.
report-drama-note = By the points on the table before each decision. Where a game gives points only at the end, the end decides.

## Choice

report-choice = How much is there to choose?
report-choice-said = Where there is a choice, it is among { $branching } moves. In { $forced } of decisions only one move is legal; { $events } times in a game chance decides.

## Luck and skill

report-skill = Luck or skill?
report-skill-said = The same deals were played with one “{ $strong }” among “{ $weak }”, in each seat in turn. It won { $won } of its games.
report-skill-strength = Strength
report-skill-seats = Seat
report-skill-chance = Luck of the deal
report-skill-rest = Everything else
report-skill-part = Part of the variance
report-skill-note = The causes of differences in wins: the bot in the seat, the seat itself, and what the deal gives to the seat, whichever bot plays there. The rest is what turns out differently, by luck and by play, once a player has decided differently. How much strength counts depends on how far apart these bots are.
report-rating = Rating
report-rating-note = 400 points more are ten times the chances; the weakest stands at 0.

## Components

report-components = What is everything worth?
report-component = Component
report-component-games = In games
report-component-seats = Of players
report-component-share = Wins with it
report-component-points = Points for one more
report-component-wins = Victories for one more
report-components-note = “In games” and “of players” say how many had any of it in the end, “wins with it” how many of these won. What one more is worth comes from a regression on everything that a player owns and the seat: it asks what the same player would have had with one more of this and everything else equal, so that it does not matter which players tend to buy it. Victories are given as shares of one.
report-components-never = Never owned at the end: { $names }.
report-components-always = Owned by everyone in every game: { $names }.
report-components-none = This game does not say what players own in the end.
report-components-open = “–”: what one more of it is worth cannot be determined, because these games had it only together with others, or equally often in every game.
report-names-and = , { "" }

## Ties

report-ties = Are there ties?
report-ties-said = { $tied } of games end in a shared victory; in { $broken } two were level on points and the tie-break decided.

## Options

report-variants = What do the options change?
report-variant = Table
report-variant-usual = As in this report
report-variant-preset = Set of rules: { $name }
report-variant-option = { $option }: { $value }
report-variants-note = { $games } games each. Bold is what differs from the table above; at most one in twenty of these differences should be due to chance.
report-variants-none = This game has no options at this number of players.

## Games that stand out

report-games = Games that stand out
report-story-longest = The longest game
report-story-shortest = The shortest game
report-story-margin = The clearest victory
report-story-comeback = The greatest comeback
report-story-longest-said = { $n } decisions
report-story-shortest-said = { $n } decisions
report-story-margin-said = { $n } points ahead
report-story-comeback-said = { $n } points behind, and won
report-story-number = game { $number }
report-story-log = The game in words
report-story-left-out = The first { $n } lines are left out here; the record has them all.
report-story-open = Watch the replay
report-story-save = Save the record
report-story-note = “Watch the replay” opens the game on your own server, which has to be running: courtly serve. There, a saved record can be opened with “Open a saved record”.
report-story-other-numbers = These games were played with other numbers than your server has, so it cannot play them back.
report-story-long = Too long to be played back in a browser.

## How it was found

report-method = How this was found
report-method-command = How to make this page again
report-method-seed = Each game has a random stream of its own, so this page is the same on any number of cores, and every game in it can be played again.
report-method-intervals = Means have Student’s intervals, shares of games Wilson’s, quantiles those of order statistics. Seats are compared by Hotelling’s test. Worth and luck have intervals by the jackknife over { $batches } batches of consecutive games, because the players of one game depend on each other.

## Variants side by side: courtly lab compare

compare-title = { $game }: variants compared
compare-made = { $games } games of each variant from the same seed { $seed }, { $players }, played by { $bots }, by version { $version } of the rules.
compare-changed = What was changed?
compare-number = Number
compare-own = The game’s own
compare-same-numbers = { $file } has the same numbers as the game’s own.
compare-differences = What is different?
compare-difference = Difference from the first
compare-note = All variants play the same seeds, so what happens to both alike is no difference between them. Differences whose 95% interval excludes zero are bold; of twenty such, one is luck.
compare-had = Who has it in the end, in percent of the players?
compare-won = Who had it won, in percent?
measure-length = Decisions in a game
measure-turns = Turns
measure-minutes = Minutes, estimated
measure-choices = Moves for a decision
measure-forced = Decisions without a choice
measure-seats = The seat farthest from an equal share of victories
measure-starter = The first player wins more than an equal share
measure-ties = Victory is shared
measure-leads = The lead changes hands
measure-decided = Decided after this part of the game
measure-comebacks = The winner was ever behind
measure-behind = Points the winner was behind at worst
measure-margin = Points ahead in the end
measure-points = Points of a player
measure-winners = How much the share of victories differs from component to component (standard deviation)
measure-rarest = Players that had the rarest component

## One position examined: courtly lab probe

probe-title = ply { $ply }, { $name } has to decide
probe-waits = ply { $ply }, as { $name } sees it
probe-how = { $worlds } worlds, as { $name } may believe them to be; in each of them every move is played on to the end by “{ $bot }”. Share of victories [95% interval], lead of the best move, the move:
probe-no-move = whatever the others do
probe-others = The others after the best move
