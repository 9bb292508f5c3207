### The pages

courtly = Courtly
tagline = Five games of the royal court at one table
older-browser = This browser is too old for Courtly. Please update it, or open this page in a current Chrome, Edge, Firefox or Safari.

## Seats without a name

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
seat-bot = Bot: { $bot }
seat-open = Free seat
seat-open-choice = Free: join by link
seat-local = A player on this device
bot = bot
bot-page = Page
    .does = A beginner: plays sensibly, and now and then overlooks something.
bot-squire = Squire
    .does = Good company: plays soundly, and does not look far ahead.
bot-knight = Knight
    .does = Looks ahead: before each move it plays through what may follow.
bot-master = Master
    .does = Looks ahead as the knight does, much further.
bot-random = Random
    .does = Makes any move that the rules allow.
bot-wins = Won { $won } of 100 games against { $rivals ->
    [one] a squire
   *[other] { $rivals } squires
  }; an equally strong bot would win { $even }.
bots-need-native = The bots in grey need machine code: pip install 'courtly[native]', then restart the server.
bot-instead-compiling = { $bot } is getting ready. Until then { $other } plays.
bot-instead-missing = { $bot } needs machine code, which is not installed here. { $other } plays instead.
bot-instead-broken = { $bot } does not work: see the server’s log. { $other } plays instead.
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
waiting-numbers = The game’s chance is being sealed
waiting-away = The game begins as soon as everyone is back: { $names }
waiting-redrawn = { $count ->
    [one] One player’s number did not arrive, so everything was drawn again.
   *[other] Numbers did not arrive, so everything was drawn again { $count } times.
  }
take-a-seat = Take a seat
waiting-here = { $count ->
    [one] { $names } is waiting for you.
   *[other] { $names } are waiting for you.
  }
sit-here = Sit here
put-bot = Let a bot play
make-open = Free the seat
invite = Link to this table
copy-link = Copy link
link-only-here = This address works only on this computer. To let others on your network join, start Courtly again with: courtly --host 0.0.0.0
qr = QR code
copied = Copied.
copy-by-hand = The link is selected: copy it by hand.

## At the table

to-lobby = To the lobby
nowhere = There is nothing here
offline = No connection
offline-says = The server cannot be reached. Your tables are kept there and wait for you.
try-again = Try again
offline-play = Play offline
offline-about = Against bots, without a server: the rules and the bots run in this browser, so it works without a connection.
offline-loading = Loading …
offline-kept = Saved on this device. From now on you can play here without a connection.
offline-instead = Start a new game? The one you left here will be lost.
offline-new = New game
error-here = The game does not run in this browser. { $why }
watch-table = To that table
board = Board
seats = Players
loading = One moment …
your-turn = Your turn
your-turn-held = Your turn, once you go on
turn-of = { $name } to move
turn-of-several = Deciding: { $names }
reply-only = Nothing to decide. A short pause hides that.
reply-chosen = “{ $answer }” is given in a moment, so that nobody can tell whether you had a choice.
to-move = to move
substitute-plays = A bot is playing for you
you = you
away = away
substitute = bot stands in
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
dev-forth = Forward
dev-chance = Chance acts by itself
dev-seen-by = Seen by
dev-follow = the player to decide
dev-spectator = a spectator
dev-decides = { $name } decides
dev-drawn = Chance decides
dev-draw = At random
dev-state = State
dev-hidden = hidden from them
dev-rules-changed = { $file } has changed: the server is restarting.
dev-rules-wrong = The server continues with the earlier rules: { $why }
fault-picture = The board of this game cannot be drawn; the game continues as text.
fault-aside = Something went wrong while drawing the board of this game.
fault-missing = There is no file { $file }.
connection-waits = “{ $moves }” will be sent when you are back online.
connection-restarts = The server is being restarted; you will be back in a moment. Nothing is lost.
connection-lost = The connection was lost; reconnecting. Your game is safe.
undo = Undo
undo-none = There is nothing to take back. Your last move can be undone until another player acts, or dice or cards show something new.
log = Log
notes = My notes
notes-about = They stay in this browser; no one else sees them.
colour = My colour
colour-gules = Red
colour-azure = Blue
colour-vert = Green
colour-purpure = Purple
colour-tenne = Orange
colour-taken = Someone else already has this colour here. At other tables you get it if it is free.
log-times = { $what } ×{ $times }
log-amounts = { $text } ({ $amounts })
log-shows = { $name } shows { $list }
log-shows-nothing = { $name } shows nothing
log-more = { $count ->
    [one] · 1 more line
   *[other] · { $count } more lines
  }
log-together = All at once
log-setup = Setup
log-lines = { $count } lines
log-turn = { $name }’s turn
log-undo = { $name } takes the last move back
rules = Rules
rules-missing = These rules could not be loaded.
plain = As text
pictured = As board
switch-plain = As text or as board
menu = Menu
skip = Skip the animation
help = Keys
help-text = You can do everything with the keyboard. Whatever you can act on has a gold edge.
help-rules = R opens the rules at the passage about whatever the mouse or keyboard is on.
keys = Single-letter keys
keys-about = Switch them off if they get in your way, for instance when you dictate. Tab, Enter and Esc always work.
key-board = To what you can do on the board
key-tab = Go from one thing to the next, and choose it
key-arrows = Go from place to place on a map
key-escape = Skip the animation, close what is open
advice = Hint
help-at-table = Hints and chances of winning
help-all = Only if all players say yes.
help-agreed = { $count ->
    [0] No one has said yes so far.
   *[other] Yes so far: { $names }
  }
help-yes = yes
help-no = no
help-if-agreed = yes, if you agree too
help-ask = What would you do?
help-moves = Good moves
help-not-yours = Ask when it is your turn.
help-thinking = Thinking …
help-only = Only one move is possible.
help-close = { $all ->
    [yes] These moves are about equally good: their chances differ by less than the margin of error.
   *[no] The first { $count ->
        [2] two
        [3] three
       *[other] { $count }
      } are about equally good: their chances differ by less than the margin of error.
  }
help-choose = Choose one to see it on the board. You make the move there yourself.
help-plan = Then: { $moves }.
help-aims = How such turns end: { $aims }.
help-aim = { $move } { $percent } % (± { $margin })
help-at-once = At once: { $counted }.
help-when = { $later ->
    [1] A few turns later
   *[0] By the next turn
  }
help-others = { $count ->
    [one] the other move
   *[other] the other moves shown
  }
help-more = { $when } about { $counted } more than after { $others }.
help-less = { $when } about { $counted } less than after { $others }.
help-although = { $when } about { $counted } less than after { $others }, and yet it wins more often.
help-part = The difference is mainly: { $part }.
help-expected = { $when }, on average: { $counted } compared with now.
help-open = Uncertain: { $counted } by the next turn.
help-range = { $low }–{ $high }
help-denies = Lowers { $name }’s chance of winning by { $percent } percentage points, compared with { $others }.
help-helps = Raises { $name }’s chance of winning by { $percent } percentage points, compared with { $others }.
help-rival-less = { $when } { $name } has about { $counted } less than after { $others }.
help-rival-more = { $when } { $name } has about { $counted } more than after { $others }.
help-percent = { $percent } %
help-squires = the squire’s move; its chances are not calculated yet
help-chance = chance of winning { $percent } %{ $margin ->
    [0] {""}
   *[other] {" "}(± { $margin })
  }
help-odds-estimated = Calculated to the end of the turn and estimated from there; accurate to about ± { $margin } %.
help-odds = Chances of winning: { $odds }
help-odds-title = Chances of winning
help-odds-how = Estimated from simulated games, using only what you can see; accurate to about ± { $margin } %.
close = Close
cancel = Cancel
number = { $n }
number-plus = +{ $n }
colon = {": "}
sentence-gap = {". "}
sentence-space = {" "}
part-gap = {" · "}
leave-table = Leave the table
leave-question = Leave the table? A bot plays on for you, and you can come back.
other-device = Move { $name } to another device
ticket-help = Open this link on the other device. It works once, and the seat moves there.
ticket-link = Link for the other device
seat-link = Move { $name }’s seat here?
seat-link-about = The seat moves to this browser. On the other device, the game can then only be watched. This works once.
seat-link-do = Take the seat
recall-about = A link has moved { $name }’s seat to another device.
recall = Take the seat back here

## Chat

chat = Chat
chat-new = { $count } new
chat-none = No messages yet.
chat-older = Earlier messages
chat-write = Say something
chat-send = Send
chat-canned-messages = Courtesies
chat-for-spectators = Other spectators can read this at once, the players when the game is over.
chat-spectator = A spectator
chat-muted = The player who opened this table has switched the chat off.
chat-at-table = Chat at this table
chat-on = on
chat-off = off
chat-mute = Mute { $name }
chat-mute-question = Mute { $name }? You will no longer see what { $name } writes, at any table. { $name } will not be notified.
chat-unmute = Unmute { $name }
canned-message-hello = Hello, and have fun!
canned-message-moment = A moment, please.
canned-message-sorry = Sorry to keep you waiting.
canned-message-back = I’m back.
canned-message-no-hurry = Take your time.
canned-message-good-move = Good move!
canned-message-thanks = Thank you!
canned-message-luck = Lucky me!
canned-message-oops = Oh no!
canned-message-well-played = Well played!
canned-message-bye = Thank you for the game.
canned-message-again = Another game?
## Clocks

clock = Clock
clock-none = none
clock-live = { $minutes } min + { $seconds } s
clock-days = { $days ->
    [one] 1 day a turn
   *[other] { $days } days a turn
  }
clock-live-about = { $minutes } minutes for each player; the first { $seconds } seconds of every decision are free. { $out }
clock-days-about = { $days ->
    [one] One day
   *[other] { $days } days
  } for each turn. { $out }
clock-out = When your time runs out, a bot decides; after three times in a row it takes your seat until you come back.
time-left = { $minutes } min { $seconds } s left
time-left-free = { $free } s free, then { $minutes } min { $seconds } s left
time-days = { $days } days left
time-hours = { $hours } h left
time-minute = One minute left.
time-soon = 15 seconds left.
time-out = { $name } ran out of time: a bot decided.
time-outs = time out ×{ $outs }

## Plain rendering

news = What happened
narrow = { $count } possible moves. Type to narrow them down:
position = Position
plain-fallback = This game has no board: everything is shown as text.

## The end

game-over = The game is over
you-won = You win!
won = { $name } wins
you-placed = You came { $place ->
    [2] second
    [3] third
    [4] fourth
   *[other] fifth
  }
draw = { $names } share the victory
end-board = See the board
end-show = See the result
rematch = Play again
rematch-ready = To the next game
download-record = Save the record

## Replay

replay = Playing back
replay-watch = Watch the replay
replay-start = Before the first move
replay-turn = Turn { $turn } of { $turns }
replay-place = Position in the game
replay-play = Play
replay-pause = Pause
replay-on = One move forward
replay-back = One move back
replay-turn-on = One turn forward
replay-turn-back = One turn back
replay-speed = Speed
replay-times = { $speed } ×
replay-seen-by = Seen by
replay-open = everything revealed
replay-eyes = as { $name } saw it
replay-link = Copy the link to this moment
replay-return = Back to the game
replay-gone-on = The game has continued: back to it
replay-since = Back to my last turn
replay-review = Review
replay-here = See it on the board
play-on = Play on from here
play-on-instead = Play on from here? The game you left on this device will be lost.
played-on = { $name }, from move { $move }
played-on-back = Back to the original game
recap = Since your last move
recap-show = Show me
record-open = Open a saved record
record-drop = Choose the record of a game, or drop it here.

## Review

review = Review this game
review-title = How this game was decided
review-soon = The review is being prepared …
review-waits = { $ahead ->
    [one] One other review comes first.
   *[other] { $ahead } other reviews come first.
  }
review-working = Reviewed so far: { $done } of { $of } decisions
review-failed = The review could not be made.
review-again = Try again
review-chances = Chances of winning, in %
review-percent = { $chance } %
review-within = { $error ->
    [0] {""}
   *[other] ± { $error }
  }
review-decision = Decision { $number } of { $count }
review-moved = { $name } – { $played }. { $chances }
review-chance = { $name } { $chance } %
review-best = best
review-about-best = about as good
review-played = played
review-other-moves = { $count ->
    [one] One other move
   *[other] { $count } other moves
  }
review-return = Back to the review
review-table = All figures
review-begin = At the start
review-own = Own choices
review-others = Choices of others
review-luck = Luck
review-end = At the end
review-luck-is = Choices: each move, compared with the one that looked best at first. Luck: what was drawn, rolled or revealed, and what the calculation did not foresee.
review-how = { $count ->
    [one] one decision
   *[other] { $count } decisions
  } judged from what each player knew then, { $simulations ->
    [0] calculated to the end of each turn and estimated from there
   *[other] by { $simulations } simulated games for each move
  }
review-turning = Turning points, the largest loss first
review-costliest = Your costliest decisions
review-turning-others = Turning points of the others
review-no-turning = No single decision turned the game.
review-point = { $name } – { $played }
review-better = Better was “{ $better }”: chance of winning { $chance } % instead of { $instead } %, { $loss }{ $error ->
    [0] {""}
   *[other] {" "}± { $error }
  } points more
review-why-unclear = No single number shows it within a few turns, but it wins more often.
review-why = Why the best move is better
review-balance = Choices and luck, in points of the chance of winning
review-player = { $name }: at the start { $begin } %, own choices { $choices }{ $error ->
    [0] {""}
   *[other] {" "}± { $error }
  }, choices of others { $others }, luck { $luck }, at the end { $end } %

## Checking chance

prove-chance = Check that the game was fair
proof-intro = Before the first move the table published the fingerprint of a secret, and each player’s browser the fingerprint of a number. Only then did the browsers show their numbers. Every random event was drawn from the secret and those numbers. This page has calculated each draw again.
proof-later = When the game is over the secret is shown, and this page checks every random event. Until then, here is its fingerprint:
proof-commitment = Fingerprint (SHA-256)
proof-secret = Secret
proof-nonces = Numbers from the players
proof-secret-wrong = The secret is NOT the one that was promised!
proof-events-right = { $count ->
    [one] One random event, exactly as it had to be.
   *[other] { $count } random events, all exactly as they had to be.
  }
proof-events-wrong = Move { $ply } does NOT follow from the secret!
proof-fair = No one could choose what chance brought in this game, not even the server: the rules and what this browser has kept prove it.
proof-bound = No one could choose the numbers that were drawn, not even the server: this browser has kept the proof.
proof-consistent = The game is consistent with itself. This browser kept nothing from its start, so it cannot tell whether its chance was fair.
proof-secret-kept = The secret is the one whose fingerprint this browser kept.
proof-secret-changed = The secret is NOT the one whose fingerprint this browser kept!
proof-number-in = The number from this browser was used.
proof-number-out = The number from this browser was NOT used!
proof-number-refused = The server took no number from this browser, so it could have chosen what chance brought.
proof-others-changed = The numbers of these players are NOT the ones they had announced: { $seats }!
proof-counted-entries = The draws of this game are counted as older versions of Courtly did: a player who knew the secret could choose them by making moves and taking them back.
proof-numbers-weak = These players’ numbers could be guessed, or are the same as another’s: { $seats }.
proof-nothing-added = Players who added no number: { $seats }. Bots never do, and people at one device count as one.
proof-redrawn = { $count ->
    [one] Before the game began, everything was drawn again once.
   *[other] Before the game began, everything was drawn again { $count } times.
  }
proof-lists = What could have happened each time, and how likely it was, comes from this server. This browser can compare it with the rules; or save the record and the receipt, and “courtly record check” does it without this server.
proof-rules = Check with the rules
proof-rules-right = By the rules, every draw had the right possible outcomes with the right chances, and this is the game that was shown here.
proof-rules-wrong = Line { $line } of the record does NOT follow from the rules!
proof-rules-other = The record is NOT of the game that was shown here!
proof-unknowable = What no one can prove: that no game was thrown away, and that no one on the server’s side looked at the secret.
proof-alarm = Something is wrong with the chance of this game.
proof-receipt = Save the receipt
proof-receipt-help = The receipt is what this browser kept from the start of the game. With it, the game can be checked anywhere.
proof-working = Calculating …
proof-failed = The record could not be read.
proof-apart = A stand-alone page that checks a saved record

## Preferences

scheme = Theme
scheme-auto = system
scheme-light = light
scheme-dark = dark
size = Board and text size
size-usual = normal
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
odds-about = Shows how likely your dice are to succeed, in games that offer it.
hints-where = Hints and reviews are computed
hints-device = on this device
hints-server = by the server
hints-about = This device answers at once, even without a connection. You can also leave it to the server.

## Notifications

on = On
off = Off
save = Save
saved = Saved.
notifications = Notifications
sounds = Sounds of dice, cards and coins
sounds-on = on
sounds-off = off
sound = Sound
sound-about = Two bell notes when your turn begins while you are doing nothing here. A phone also vibrates.
system = System notification
system-about = For when another window or tab is in front of this one.
system-never = This browser blocks notifications from this page.
system-insecure = Browsers allow system notifications only over https, or on the server’s own computer.
system-offer = Your turn began while you were looking elsewhere. Would you like a notification next time?
system-yes = Yes, please
system-no = No, thanks
notifications-away = While you are away
notifications-about = For games that take days. One message for each game, and no more until you have looked.
notifications-mail = Email address
notifications-unconfirmed = A link was sent to { $mail }. Open it to be notified there.
notifications-webhook = Webhook: an address that receives messages
notifications-webhook-disabled = This webhook rejected several messages in a row, so it is switched off. Save again to try it.
notifications-format = Format
form-json = JSON
form-discord = Discord
form-slack = Slack
form-ntfy = ntfy
notification-turn = Your turn: { $game }
notification-mail =
    It is your turn in { $game }.

    { $link }

    There will be no further message about this game until you have looked.

    To stop these emails: { $stop }
notification-confirm = Courtly: is this your address?
notification-confirm-mail =
    Someone who plays on Courtly, we hope it is you, would like to be notified at this address when it is their turn. If it is you, please confirm here:

    { $link }

    If it is not, just ignore this message; nothing more will be sent.
notification-webhook = Courtly: from now on you will be notified here when it is your turn.
mail-confirm = Send a message to { $mail } when it is your turn?
mail-confirm-do = Yes
mail-confirm-done = { $mail } will be notified.
mail-stop = Stop sending mail to { $mail }?
mail-stop-do = Stop
mail-stop-done = { $mail } gets no more mail from here.

## My games

me = My games
me-tallies = Statistics
me-game = Game
me-players = Players
me-against = Against
me-people = people
me-bots = bots
me-played = Played
me-won = Won
me-won-of = { $won } ({ $percent }%)
me-average = Average
me-finished = Finished games
me-look = Result
me-more = Show earlier games
me-nothing = You have not played here yet. There are five games to choose from:
me-who = Your profile
me-cookie = There is no account and no password: this browser’s cookie identifies you. To play on another device, or before you clear the cookie, create a link.
me-carry = To another device
me-carry-about = Open this link there within a day. It works once; after that both browsers are you, with all your games.
me-sign-out = Sign out everywhere else
me-sign-out-question = Sign out everywhere else? All other browsers stop at once, and links that have not been used stop working.
me-signed-out = You are signed in on this browser only.
me-export = Download all my data
me-forget = Delete my data
me-forget-question = Delete your data? Bots play on for you, your name is removed from every game, and this cannot be undone.
carry = Play on as { $name }
carry-nameless = a player without a name
carry-about = This browser will belong to that player, with all of their games.
carry-leaves = { $count ->
    [one] One unfinished game of this browser can then no longer be continued here.
   *[other] { $count } unfinished games of this browser can then no longer be continued here.
  }
carry-you = This browser is already that player’s. The link is for another device.
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
credits-unofficial = This is an unofficial implementation with its own texts and pictures. If you can still buy the printed game, it is worth having.
credits-icons = Icons by Lorc, Delapouite and contributors, game-icons.net (CC BY 3.0).
credits-fonts = Set in Source Sans, Vollkorn and Noto (SIL Open Font License).

## Errors

error-unknown = That did not work ({ $id }).
error-offline = The table cannot be reached right now.
error-malformed = The server did not understand that.
error-name = A name has 1 to 24 ordinary characters.
error-text = A message has 1 to 500 characters.
error-options = These options do not go together.
error-record = Line { $line } of this record is not valid.
error-record-game = This record is of a game that is not installed here: { $game }.
error-record-version = This record was played by version { $played } of its rules; installed is { $installed }.
error-seats = A game cannot start with these seats.
error-too-large = That is too much at once.
error-no-cookie = Your browser has to accept the cookie that keeps your seat.
error-not-yours = This seat belongs to someone else.
error-not-host = Only the player who opened the table can do that.
error-elsewhere = That came from another site and was ignored.
error-unknown-game = There is no such game here.
error-unknown-table = There is no such table.
error-not-loaded = This could not be loaded. Check the connection, and try again.
error-worker = The game has stopped in this browser. Reload the page: it goes on from the last move.
error-not-kept = This browser does not let the page save anything: the game is lost when you close the page.
error-no-webassembly = This browser cannot run the games, because WebAssembly is missing or switched off. Allow it for this site, or use another browser.
error-uncompiled = This game cannot be played in the browser. The server’s log says why.
error-unknown-page = There is no such page.
error-link-used = This link has been used: the seat it carried is on another device now.
error-link-false = This link gives no seat. It may have been cut off on its way, or be more than a day old: ask for a new one.
error-link-mail = This link does nothing. It may have been cut off on its way, be more than a week old, or belong to an address that has changed since.
error-mail =
    { $why ->
        [form] That is not an email address.
        [off] This server sends no mail.
       *[silent] No mail can be sent at the moment. Nothing has changed.
    }
error-webhook =
    { $why ->
        [form] That is not a web address: it begins with https:// or http://.
        [off] This server sends no messages.
       *[silent]
            { $status ->
                [0] Nothing answered at that address. Nothing has changed.
               *[other] That address answered { $status } and did not accept the message. Nothing has changed.
            }
    }
error-unknown-method = That cannot be done here.
error-host = This server does not answer to that name. Its operator can add the name.
error-unknown-seat = There is no such seat.
error-unknown-move = There is no such move.
error-unknown-bot = There is no such bot.
error-stale = Something has just changed; look again.
error-illegal = That is not possible now.
error-unseen = Wait for the result of the previous move first.
error-unforeseen = The outcome of this is not known in advance.
error-not-your-turn = It is not your turn.
error-no-undo = This can no longer be taken back.
error-over = The game is over.
error-not-over = The game is not over yet.
error-not-reviewed = This game has not been analysed yet.
error-no-machine-code = This needs machine code, which is not installed here: pip install 'courtly[native]', then restart the server.
error-not-started = The game has not begun yet.
error-started = The game has already begun.
error-seat-taken = Someone else has just taken that seat.
error-number = That number does not fit what was announced. Please try again.
error-seated = You already have a seat at this table.
error-substitute = A bot is playing this seat. Take it back first.
error-no-substitute = No bot is playing this seat.
error-not-away = This player is here.
error-grace = This player has just left and may come back within { $seconds } s.
error-no-help = There are no hints at this table: not all players have said yes.
error-no-advice = No hint could be found this time.
error-chat-muted = The player who opened this table has switched the chat off.
error-key = This command was already sent with other contents.
error-damaged = The stored game is damaged and cannot be continued.
error-rules = The rules of this game failed at this position, so it cannot continue for now. Every move is saved, and you may leave the table.
error-version = This game began under other rules (version { $played }; installed is { $installed }).
error-too-fast = That was very quick. A moment, please.
error-too-many-tables = You have too many tables open. Finish one first.
error-too-many-sockets = This table is open in too many windows.
error-server = Something went wrong on the server. Nothing was changed.
error-restart = The server is being restarted. Please try again in a moment.
error-storage = The server could not store that. Nothing was changed.
error-unsure = The server lost its connection to the database while saving. You will see whether it was saved as soon as that is known.

## Lessons

lesson = Learn
lesson-offer = New here?
lesson-offer-game = Learn { $title } in a few minutes
lesson-of = Learn { $title }
lesson-step = { $n } of { $of }
lesson-next = Next
lesson-read = Read, then press “Next”.
lesson-back = Back
lesson-take-back = Take it back
lesson-other = You could do that. For now, take it back and try what is marked.
lesson-own = Play your own game
lesson-try = Try it
