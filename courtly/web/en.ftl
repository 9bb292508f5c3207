### The shell: lobby and table. What a game says of itself is in its own folder.

courtly = Courtly
tagline = Five games of the royal court at one table
older-browser = This browser is too old for Courtly. Please update it, or open this page in a current Chrome, Edge, Firefox or Safari.

## Seats without a name are called by the device on their shield

device-lion = Lion
device-eagle = Eagle
device-lily = Lily
device-tower = Tower
device-boar = Boar
device-stag = Stag

## Lobby

games = Games
players-range = { $least }–{ $most } players
minutes = { $minutes } min
tables-mine = Go on where you stopped
tables-open = Waiting for players
tables-live = Being played now
tables-more = { $count } more
tables-waiting = { $count ->
    [one] A table is waiting
   *[other] { $count } tables are waiting
  }
go-on = Go on
go-wait = Waiting
join = Join
watch = Watch
play = Play
play-this = Play this game
open-table = Open the table
players = Players
seat-number = Seat { $number }
seat-me = You
seat-open = Free seat
seat-open-choice = Free, for whoever has the link
seat-local = Someone on this device
bot = bot
bot-page = Page
    .does = A beginner: plays soundly, and now and then overlooks something.
bot-squire = Squire
    .does = Good company: plays soundly, and does not look far ahead.
bot-knight = Knight
    .does = Looks ahead: before each move it tries out in its head what may follow.
bot-master = Master
    .does = Looks ahead as the knight does, much further.
bot-random = Random
    .does = Makes any move that the rules allow.
bot-wins = Of 100 games against { $rivals ->
    [one] a squire
   *[other] { $rivals } squires
  } it won { $won }; an equal wins { $even }.
bots-need-native = Those in grey need machine code: pip install 'courtly[native]', then start the server again.
bot-instead-compiling = { $bot } is getting ready. Until then { $other } plays.
bot-instead-missing = { $bot } needs machine code, which is not installed here. { $other } plays instead.
bot-instead-broken = { $bot } does not work: the server’s log says why. { $other } plays instead.
your-name = Your name
their-name = Their name
name-placeholder = Name
private-table = Only people with the link can see this table
rules-of = Rules of { $title }
rules-options = Options of this table
preset = Set of rules
contents = Contents

## Before the game

waiting-for-players = Waiting for players
take-a-seat = Take a seat
sit-here = Sit here
put-bot = Let a bot play
make-open = Free the seat
invite = Link to this table
copy-link = Copy link
link-only-here = This address works on this computer alone. To let others in, start with --host 0.0.0.0 and open the address that is then shown.
qr = QR code
copied = Copied.
copy-by-hand = The link is marked: copy it by hand.

## At the table

to-lobby = To the lobby
nowhere = There is nothing here
offline = No connection
offline-says = The server cannot be reached. Your tables are kept there and wait for you.
try-again = Try again
offline-play = Play offline
offline-about = Against bots, without a server: the rules and the bots run in this browser, and so it goes on where there is no connection.
offline-size = The first time { $megabytes } MB are loaded and kept. On a slow phone this takes about a minute, later a quarter of one.
offline-load = Load
offline-loading = Loading …
offline-record = Then your record is played back here.
offline-instead = Start a new game? The one you left here will be gone.
offline-new = New game
error-here = The game does not run in this browser. { $why }
watch-table = To that table
board = Board
seats = Players
loading = One moment …
your-turn = Your turn
turn-of = { $name } to move
turn-of-several = Deciding: { $names }
reply-only = “{ $answer }” is the only answer. It is given in a moment, so that nobody can tell.
reply-chosen = “{ $answer }” is given in a moment, so that nobody can tell whether you had a choice.
to-move = to move
standin-plays = A bot is playing for you
you = you
away = away
standin = bot stands in
take-back-seat = Take my seat back
away-still = away · { $seconds } s
let-bot-play-soon = A bot may play on in { $seconds } s
let-bot-play = { $votes ->
    [0] Let a bot play on
   *[other] Let a bot play on ({ $votes } in favour)
  }
spectating = You are watching.
hand-over = Hand the device to { $name }
i-am = I am { $name }
dev-inspector = Inspector
dev-inspector-of = Inspector: { $title }
dev-position = Position
dev-new = A new game
dev-table = Players and options
dev-seed = Seed
dev-first = To the beginning
dev-back = Back
dev-forth = On
dev-chance = Chance acts by itself
dev-seen-by = Seen by
dev-follow = whoever decides
dev-spectator = a spectator
dev-decides = { $name } decides
dev-drawn = Chance decides
dev-draw = At random
dev-state = State
dev-hidden = hidden from them
dev-rules-changed = { $file } has changed: the server starts again.
dev-rules-wrong = The server goes on with the rules as they were: { $why }
fault-picture = The picture of this game cannot be drawn; the game goes on in words.
fault-aside = Something went wrong in the picture of this game.
fault-missing = There is no file { $file }.
connection-waits = “{ $moves }” waits and will be sent then.
connection-restarts = The server is being restarted; you will be back in a moment. Nothing is forgotten.
connection-lost = The connection is lost; trying again. Nothing is forgotten.
undo = Undo
log = Log
notes = My notes
notes-about = Only this browser has them; nobody else sees them.
colour = My colour
colour-gules = Red
colour-azure = Blue
colour-vert = Green
colour-purpure = Purple
colour-tenne = Orange
colour-taken = Somebody before you has this colour here. At other tables it is yours, where it is free.
log-times = { $what } ×{ $times }
log-undo = { $name } takes the last move back
rules = Rules
rules-missing = These rules could not be loaded.
plain = Text
pictured = Picture
switch-plain = Text or picture
menu = Menu
skip = Skip the animation
help = Keys
help-text = Everything can be done by keyboard. What you can act on has a gold edge.
help-rules = R opens the rules where they tell of what the mouse or the keyboard is on.
keys = Single-letter keys
keys-about = Switch them off if they get in your way, for instance when you dictate. Tab, Enter and Esc always work.
key-board = To what you can do on the board
key-tab = Go from one thing to the next, and choose it
key-escape = Skip the animation, close what is open
advice = Hint
help-at-table = Hints and chances of winning
help-all = Only if everybody who plays says yes.
help-agreed = { $count ->
    [0] Nobody has said yes so far.
   *[other] Yes so far: { $names }
  }
help-yes = yes
help-no = no
help-ask = What would you do?
help-not-yours = Ask when it is for you to decide.
help-thinking = Thinking …
help-only = There is only one thing that can be done.
help-close = There is hardly any difference between the first two.
help-choose = Choose one to see it on the board. You make the move there yourself.
help-at-once = At once: { $counted }.
help-more = By your next turn about { $counted } more than after the others here.
help-less = By your next turn about { $counted } less than after the others here.
help-open = A risk: by your next turn between { $low } and { $high }.
help-denies = { $name } wins { $percent } in 100 games less often than after the others here.
help-helps = { $name } wins { $percent } in 100 games more often than after the others here.
help-percent = { $percent } %
help-chance = wins { $percent } in 100 games (± { $margin })
help-odds-estimated = Worked out to the end of the turn, and estimated from there; right to about ± { $margin } %.
help-odds = Chances of winning: { $odds }
help-odds-title = Chances of winning
help-odds-how = Counted in games played on in thought from what you can see; exact to about ± { $margin } %.
close = Close
cancel = Cancel
colon = {": "}
sentence-gap = {". "}
sentence-space = {" "}
part-gap = {" · "}
leave-table = Leave the table
leave-question = Leave the table? A bot plays on for you, and you can come back.
other-device = Move { $name } to another device
ticket-help = Open this link on the other device. It works once, and the seat goes with it.
ticket-link = Link for the other device

## What people say

talk = Chat
talk-new = { $count } new
talk-none = Nothing has been said yet.
talk-older = What was said before
talk-write = Say something
talk-send = Send
talk-courtesies = Courtesies
talk-gallery = Others who watch can read this at once, the players when the game is over.
talk-spectator = A spectator
talk-quiet = Whoever opened this table has switched the chat off.
talk-at-table = Chat at this table
talk-on = on
talk-off = off
talk-mute = Mute { $name }
talk-mute-question = Mute { $name }? You will no longer see what { $name } writes, at any table. Nobody is told.
talk-unmute = Unmute { $name }
courtesy-hello = Hello, and have fun!
courtesy-moment = A moment, please.
courtesy-sorry = Sorry to keep you waiting.
courtesy-back = I am back.
courtesy-no-hurry = Take your time.
courtesy-good-move = Good move!
courtesy-thanks = Thank you!
courtesy-luck = Lucky me!
courtesy-oops = Oh no!
courtesy-well-played = Well played!
courtesy-bye = Thank you for the game.
courtesy-again = Another game?
## Clocks

clock = Clock
clock-none = none
clock-live = { $minutes } min + { $seconds } s
clock-days = { $days ->
    [one] 1 day a turn
   *[other] { $days } days a turn
  }
clock-live-about = { $minutes } minutes for each player; the first { $seconds } seconds of every decision cost nothing. { $out }
clock-days-about = { $days ->
    [one] One day
   *[other] { $days } days
  } for each turn. { $out }
clock-out = When your time is out, a bot decides; after three times in a row it takes your seat until you come back.
time-left = { $minutes } min { $seconds } s left
time-left-free = { $free } s that cost nothing, then { $minutes } min { $seconds } s left
time-days = { $days } days left
time-hours = { $hours } h left
time-minute = One minute left.
time-soon = 15 seconds left.
time-out = Time was out for { $name }: a bot decided.
time-outs = time out ×{ $outs }

## Plain rendering

news = What happened
narrow = { $count } possible moves. Type to narrow them down:
position = Position
plain-fallback = This game has no picture; this is all there is to know.

## The end

game-over = The game is over
you-won = You win!
won = { $name } wins
draw = { $names } share the victory
rematch = Play again
rematch-ready = To the next game
download-record = Save the record

## A game played back

replay = Playing back
replay-watch = Play it back
replay-start = Before the first move
replay-turn = Turn { $turn } of { $turns }
replay-place = Place in the game
replay-play = Play
replay-pause = Pause
replay-on = One move on
replay-back = One move back
replay-turn-on = One turn on
replay-turn-back = One turn back
replay-speed = Speed
replay-times = { $speed } ×
replay-seen-by = Seen by
replay-open = everything open
replay-eyes = as { $name } saw it
replay-link = Copy the link to this moment
replay-return = Back to the game
replay-gone-on = The game has gone on: back to it
replay-since = Back to my last turn
replay-review = Review
replay-here = See it on the board
recap = Since your last move
recap-show = Show me
record-open = Open a saved record
record-drop = Choose the record of a game, or drop it here.

## What a finished game was decided by

review = Review this game
review-title = How this game was decided
review-soon = The review is being prepared …
review-working = Being reviewed: { $done } of { $of } decisions
review-failed = The review could not be made.
review-again = Try again
review-chances = Chances of winning
review-percent = { $chance } %
review-within = { $error ->
    [0] {""}
   *[other] ± { $error }
  }
review-decision = Decision { $number } of { $count }
review-moved = { $name }: { $played }. { $chances }
review-chance = { $name } { $chance } %
review-best = best
review-played = played
review-table = All figures
review-begin = At the start
review-own = Own choices
review-others = Choices of others
review-luck = Luck
review-end = At the end
review-luck-is = Luck is all that nobody chose: what was drawn and rolled, and what came to light.
review-how = { $count ->
    [one] one decision
   *[other] { $count } decisions
  } judged from what each player knew then, { $simulations ->
    [0] worked out without simulations
   *[other] by { $simulations } simulated games for each move
  }
review-turning = Turning points
review-no-turning = No single decision turned the game.
review-point = { $name }: { $played }
review-better = Better was “{ $better }”: chance of winning { $chance } % instead of { $instead } %, { $loss }{ $error ->
    [0] {""}
   *[other] {" "}± { $error }
  } points more
review-balance = Choices and luck, in points of the chance of winning
review-player = { $name }: at the start { $begin } %, own choices { $choices }{ $error ->
    [0] {""}
   *[other] {" "}± { $error }
  }, choices of others { $others }, luck { $luck }, at the end { $end } %

## Dice that can be checked

prove-dice = Check the dice
proof-intro = Before the first move the table published the fingerprint of a secret. Every random event was drawn from that secret and from numbers that the players' own browsers gave. This page has calculated all of it again.
proof-later = When the game is over the secret is shown, and this page checks every random event. Until then, here is its fingerprint:
proof-commitment = Fingerprint (SHA-256)
proof-secret = Secret
proof-nonces = Numbers from the players
proof-secret-right = The secret is the one that was promised.
proof-secret-wrong = The secret is NOT the one that was promised!
proof-events-right = { $count ->
    [one] One random event, exactly as it had to come.
   *[other] { $count } random events, all exactly as they had to come.
  }
proof-events-wrong = Move { $ply } does NOT follow from the secret!
proof-working = Calculating …
proof-failed = The record could not be read.
proof-apart = A page of its own that checks a saved record, to keep

## Preferences

scheme = Light
scheme-auto = as the system
scheme-light = day
scheme-dark = night
size = Size of what is on the table
size-usual = usual
size-large = large
size-larger = larger
speed = Animation
speed-slow = slow
speed-normal = normal
speed-fast = fast
speed-none = none
odds = Odds of the dice
odds-shown = shown
odds-hidden = hidden
odds-about = What your dice may bring, where a game tells it while it is your turn.

## Word that it is one's turn

on = On
off = Off
save = Save
saved = Saved.
reach = When it is your turn
sound = Sound
sound-about = Two notes of a bell when your turn comes while you do nothing here. On a phone it trembles as well.
system = Message of the system
system-about = For when another window or tab is before this one.
system-never = This browser shows no messages of this page: its own settings say so.
system-insecure = Browsers allow messages of the system only over https, or on the server’s own computer.
system-offer = A turn of yours began while you were looking elsewhere. Shall the system tell you next time?
system-yes = Yes, ask it
system-no = No
reach-away = While you are away
reach-about = For games that take days. One message for each game, and no other until you have looked.
reach-mail = Mail address
reach-unconfirmed = A link was sent to { $mail }. Follow it, and you will be told there.
reach-hook = Webhook: an address that takes messages
reach-silent = This webhook did not take several messages in a row, so it is switched off. Save again to try it.
reach-form = In the form of
form-json = JSON
form-discord = Discord
form-slack = Slack
form-ntfy = ntfy
notice-turn = Your turn: { $game }
notice-mail =
    It is your turn in { $game }.

    { $link }

    There will be no other message about this game until you have looked.

    To get no more mail from us: { $stop }
notice-confirm = Courtly: is this your address?
notice-confirm-mail =
    Somebody who plays at Courtly, we hope it is you, wants to be told at this address when it is their turn. If it is you, say yes here:

    { $link }

    If it is not, nothing needs to be done, and nothing more will be sent.
notice-hook = Courtly: from now on you will be told here when it is your turn.
mail-confirm = Shall { $mail } get a message when it is your turn?
mail-confirm-do = Yes
mail-confirm-done = Yes: { $mail } will be told.
mail-stop = Shall { $mail } get no more mail from here?
mail-stop-do = No more mail
mail-stop-done = { $mail } gets no more mail from here.

## My games

me = My games
me-tallies = What became of them
me-game = Game
me-players = Players
me-against = With
me-people = people
me-bots = bots alone
me-played = Played
me-won = Won
me-won-of = { $won } ({ $percent }%)
me-average = On average
me-finished = Finished games
me-look = The end
me-more = Show earlier ones
me-nothing = You have not played here yet. Five doors are open:
me-who = Who you are here
me-cookie = There is no account and no password: this browser’s cookie is who you are. To play on elsewhere, or before you clear it, take a link.
me-carry = To another device
me-carry-about = Open this link there within a day. It is good once; that browser is you then, with all your games, and so is this one still.
me-sign-out = Sign out everywhere else
me-sign-out-question = Shall only this browser be you from now on? All others stop at once, and so do links that nobody has followed yet.
me-signed-out = Only this browser is you now.
me-export = Download all that is kept of me
me-forget = Forget me
me-forget-question = Shall this house forget you? Bots play on for you, your name goes from every game, and nothing brings it back.
carry = Play on as { $name }
carry-nameless = somebody without a name
carry-about = This browser will be that player’s, with all games of theirs.
carry-leaves = { $count ->
    [one] An unfinished game of this browser would be left behind, and nobody could play it on from here.
   *[other] { $count } unfinished games of this browser would be left behind, and nobody could play them on from here.
  }
carry-you = That is this browser already. The link is for another one.
carry-do = Yes, play on here

## Credits

credits = About this game
credits-game = { $title } ({ $year }){ $designers ->
    [none] {""}
   *[other] . Designed by { $designers }
  }{ $publishers ->
    [none] {""}
   *[other] . Published by { $publishers }
  }.
credits-unofficial = This is an unofficial implementation in its own words and pictures. Where the printed game can still be had, it is worth having.
credits-icons = Icons by Lorc, Delapouite and contributors, game-icons.net (CC BY 3.0).
credits-fonts = Set in Source Sans, Vollkorn and Noto (SIL Open Font License).

## What can go wrong

error-unknown = That did not work ({ $id }).
error-offline = The table cannot be reached just now.
error-malformed = The server did not understand that.
error-name = A name has 1 to 24 ordinary characters.
error-text = A message has 1 to 500 characters.
error-options = These options do not go together.
error-record = Line { $line } of this record is not in order.
error-record-game = This record is of a game that is not installed here: { $game }.
error-record-version = This record was played by version { $played } of its rules; installed is { $installed }.
error-seats = These seats make no table.
error-too-large = That is too much at once.
error-no-cookie = Your browser has to accept the cookie that keeps your seat.
error-not-yours = This seat belongs to somebody else.
error-not-host = Only whoever opened the table can do that.
error-elsewhere = That came from another site and was not done.
error-unknown-game = There is no such game here.
error-unknown-table = There is no such table.
error-unknown-page = There is no such page.
error-link-used = This link has been used: the seat it carried is on another device now.
error-link-false = This link seats nobody. It may have been cut off on its way, or be more than a day old: ask for a new one.
error-link-mail = This link does nothing. It may have been cut off on its way, be more than a week old, or be about an address that was changed since.
error-mail =
    { $why ->
        [form] That is no mail address.
        [off] This server sends no mail.
       *[silent] No mail can be sent at the moment. Nothing has changed.
    }
error-hook =
    { $why ->
        [form] That is no address of the web: it begins with https:// or http://.
        [off] This server sends no messages.
       *[silent]
            { $status ->
                [0] Nothing answered at that address. Nothing has changed.
               *[other] What is at that address answered { $status } and took no message. Nothing has changed.
            }
    }
error-unknown-method = That cannot be done here.
error-host = This house does not go by that name. Whoever runs it can add the name.
error-unknown-seat = There is no such seat.
error-unknown-move = There is no such move.
error-unknown-bot = There is no such bot.
error-stale = Something happened just before; look again.
error-illegal = That is not possible now.
error-unseen = First see what the move before it brings.
error-unforeseen = What comes of this is not known before it is done.
error-not-your-turn = It is not your turn.
error-no-undo = This cannot be taken back any more.
error-over = The game is over.
error-not-over = The game is not over yet.
error-not-reviewed = This game has not been analysed yet.
error-no-machine-code = This needs machine code, which is not installed here: pip install 'courtly[native]', then start anew.
error-not-started = The game has not begun yet.
error-started = The game has begun already.
error-seat-taken = Somebody else has just sat down there.
error-seated = You are sitting at this table already.
error-standin = A bot is playing this seat. Take it back first.
error-no-standin = No bot is playing this seat.
error-not-away = This player is here.
error-grace = This player has only just gone and may come back: { $seconds } s more.
error-no-help = There are no hints at this table: not everybody has said yes.
error-not-ready = Hints are being prepared for this game. Ask again in a minute.
error-no-advice = No hint could be found this time.
error-quiet = Whoever opened this table has switched the chat off.
error-key = This command was sent before as another one.
error-damaged = The stored game is damaged and cannot be continued.
error-rules = The rules of this game failed at this position, so it cannot go on for now. Every move is kept, and you may leave the table.
error-version = This game was begun under other rules (version { $played }; installed is { $installed }).
error-too-fast = That was very quick. A moment, please.
error-too-many-tables = You have too many tables open. Finish one first.
error-too-many-sockets = This table is open in too many windows.
error-server = Something went wrong at the server. Nothing was changed.
error-storage = The server could not store that. Nothing was changed.
error-unsure = The server lost its memory for a moment. Look whether that was done: it shows as soon as it is known.

## Lessons

lesson = Learn
lesson-of = Learn { $title }
lesson-step = { $n } of { $of }
lesson-next = Next
lesson-back = Back
lesson-take-back = Take it back
lesson-other = You may do that. For now, take it back and try what is marked.
lesson-own = Play your own game
lesson-try = Try it
