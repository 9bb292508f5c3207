/* To Court the King in C, by hand and for speed: what courtly's compiled rules are measured against.

   The rules are those of courtly/games/petition/rules.py, whole, for five players with the default options; only the
   round limit is left to the caller. Everybody moves at random, with the random numbers of courtly/engine/chance.py and
   with moves in the order of the rules, so that every game is the same game, move for move.

   A multiset of dice is one 64-bit number with a byte for each face, a set of faces or cards one number with a bit for
   each. Legal moves are not listed: they are sets (a verb, a first argument, the bits of the second), which are
   counted, and of which the k-th is found. Dice fall as soon as they are rolled, and what the dice allow to claim is
   looked at when somebody claims. benchmarks/yardstick.py compiles this file. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PLAYERS = 5, DICE_LIMIT = 12, FIRST_DICE = 3, NOBODY = -1 };

enum {
    FOOL, CHARLATAN, FARMER, MAID, PHILOSOPHER, LABORER, GUARD, HUNTER, ASTRONOMER, MERCHANT,
    NOBLEWOMAN, PAWNBROKER, KNIGHT, MAGICIAN, ALCHEMIST, BISHOP, NOBLEMAN, GENERAL, KING, QUEEN, CARDS
};

/* For five players. Nobody claims a charlatan from the table: it is the back of the fool. */
static const uint8_t COPIES[CARDS] = {5, 0, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 1};

typedef enum { BEFORE, ACTING, MERCHANT_TAKES, NOBLEWOMAN_RAISES, NOBLEMAN_RAISES, ALCHEMIST_TAKES, ALCHEMIST_TURNS,
               CLAIMING, OVER } Phase;

typedef enum { KEEP, ROLL, FINISH, CLAIM, PASS, CONCEDE, ADD, ADD_ANY, RE_ROLL, RE_ROLL_SOME, RAISE, SHIFT, COPY,
               CHANGE, RAISE_BY_1, RAISE_BY_2, TAKE, TURN, DONE } Verb;

/* --- random numbers: Philox2x32-10, a block of words at a time ---------------------------------------------------- */

enum { BLOCK = 64 };

typedef struct {
    uint32_t word[BLOCK];
    uint32_t at, key, stream, block;
} Rng;

static inline uint32_t philox(uint32_t counter, uint32_t stream, uint32_t key) {
    uint32_t x = counter, y = stream;
#pragma GCC unroll 10
    for (int round = 0; round < 10; round++) {
        uint64_t product = (uint64_t)x * 0xD256D193u;
        x = (uint32_t)(product >> 32) ^ key ^ y;
        y = (uint32_t)product;
        key += 0x9E3779B9u;
    }
    return x;
}

static void seed(Rng *rng, uint64_t number, uint32_t stream) {
    uint32_t low = (uint32_t)number, high = (uint32_t)(number >> 32);
    rng->key = philox(low, high, 0);
    rng->stream = philox(high, low, 1) + stream;
    rng->block = 0;
    rng->at = BLOCK;
}

static __attribute__((noinline)) void refill(Rng *rng) {
    uint32_t block = rng->block, key = rng->key, stream = rng->stream;
    for (uint32_t i = 0; i < BLOCK; i++)
        rng->word[i] = philox(block + i, stream, key);
    rng->block = block + BLOCK;
    rng->at = 0;
}

/* 0 to n - 1. */
static inline uint32_t below(Rng *rng, uint32_t n) {
    if (rng->at == BLOCK)
        refill(rng);
    return (uint32_t)((uint64_t)rng->word[rng->at++] * n >> 32);
}

/* --- dice and sets ------------------------------------------------------------------------------------------------ */

typedef uint64_t Dice;

#define EACH 0x010101010101ull
#define DIE(face) (1ull << 8 * (face))
#define BIT(i) (1u << (i))
#define FOR_EACH(i, set) \
    for (uint32_t left_ = (set), i; left_ && (i = (uint32_t)__builtin_ctz(left_), 1); left_ &= left_ - 1)

/* The faces of which there are n dice or more. */
static inline uint32_t at_least(Dice dice, uint32_t n) {
    uint64_t high = (dice + (128 - n) * EACH) >> 7 & EACH;
    return (uint32_t)(high * 0x0102040810204080ull >> 56 & 63);
}

static inline uint32_t count(Dice dice) {
    return (uint32_t)(dice * EACH >> 40 & 255);
}

static inline uint32_t sum(Dice dice) {
    return (uint32_t)(dice * 0x010203040506ull >> 40 & 255);
}

/* The best group: the biggest, of equal ones the highest face, as 16 * size + face. */
static uint32_t best(Dice dice) {
    uint32_t found = 0;
    for (uint32_t face = 0; face < 6; face++) {
        uint32_t group = (uint32_t)(dice >> 8 * face & 255) << 4 | (face + 1);
        found = group > found ? group : found;
    }
    return found;
}

static inline uint32_t nth_bit(uint32_t set, uint32_t n) {
    while (n--)
        set &= set - 1;
    return (uint32_t)__builtin_ctz(set);
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

typedef struct {
    Dice active, aside, taken, turned;  /* rolled or added; kept; chosen for the power in use; given new faces */
    uint32_t dice;                      /* in use */
    uint32_t used;                      /* cards whose power was used this turn */
    uint32_t own[PLAYERS], charlatans[PLAYERS];
    uint32_t on_table;                  /* cards of which there are copies left */
    uint8_t supply[CARDS];
    uint32_t results[PLAYERS], mark;    /* groups in the last round, and the one to beat: see best() */
    Phase phase;
    bool kept, final;
    int seat, start, turn, king, queen;
    int round, round_limit;
    uint32_t last_turned;
    int64_t events;
    Rng rng;
} Game;

#define ADDERS (BIT(LABORER) | BIT(GUARD) | BIT(HUNTER) | BIT(PAWNBROKER) | BIT(KNIGHT) | BIT(BISHOP))

/* The active player's powers that are left this turn. */
static inline uint32_t powers(const Game *g) {
    return g->own[g->seat] & ~g->used;
}

static inline bool can_add(const Game *g) {
    return powers(g) & (ADDERS | BIT(QUEEN)) && g->dice < DICE_LIMIT;
}

static void fall(Game *g, uint32_t dice) {
    g->events += dice;
    while (dice--)
        g->active += DIE(below(&g->rng, 6));
}

static void roll(Game *g) {
    g->phase = ACTING;
    g->kept = false;
    g->active = 0;
    fall(g, g->dice - count(g->aside));
}

/* Clockwise from the start player; in the last round the queen's holder is left out and comes at the end. */
static int next_seat(const Game *g) {
    int place = g->turn;
    if (g->final) {
        if (place == PLAYERS - 1)
            return g->queen;
        place += place >= (g->queen - g->start + PLAYERS) % PLAYERS;
    }
    return (g->start + place) % PLAYERS;
}

static void begin_turn(Game *g) {
    int seat = next_seat(g);
    if (g->final && seat == g->queen && seat == g->king) {
        g->phase = OVER;
        return;
    }
    uint32_t own = g->own[seat];
    uint32_t dice = FIRST_DICE + (own >> FARMER & 1) + 2 * (own >> GENERAL & 1) + g->charlatans[seat];
    g->seat = seat;
    g->dice = dice < DICE_LIMIT ? dice : DICE_LIMIT;
    g->used = 0;
    g->aside = 0;
    if (g->final || can_add(g))
        g->phase = BEFORE;
    else
        roll(g);
}

static void end_turn(Game *g) {
    if (++g->turn == PLAYERS) {
        if (g->final || (g->king == NOBODY && g->round == g->round_limit)) {
            g->phase = OVER;
            return;
        }
        g->turn = 0;
        g->round++;
        g->start = (g->start + PLAYERS - 1) % PLAYERS;
        g->final = g->king != NOBODY;
    }
    begin_turn(g);
}

/* --- claiming, and the last round --------------------------------------------------------------------------------- */

/* The cards whose requirement these dice meet. */
static uint32_t earned(Dice dice) {
    uint32_t faces = at_least(dice, 1), two = at_least(dice, 2), three = at_least(dice, 3), four = at_least(dice, 4);
    uint32_t five = at_least(dice, 5), six = at_least(dice, 6), seven = at_least(dice, 7), total = sum(dice);
    int pairs = __builtin_popcount(two) + __builtin_popcount(four) + __builtin_popcount(six);
    uint32_t cards = BIT(FOOL);
    cards |= (uint32_t)(two != 0) << FARMER | (uint32_t)(three != 0) << GUARD | (uint32_t)(four != 0) << HUNTER;
    cards |= (uint32_t)(five != 0) << KNIGHT | (uint32_t)(six != 0) << GENERAL | (uint32_t)(seven != 0) << KING;
    cards |= (uint32_t)(pairs >= 2) << ASTRONOMER | (uint32_t)(pairs >= 3) << BISHOP;
    cards |= (uint32_t)(six || (three & (three - 1))) << NOBLEMAN;
    cards |= (uint32_t)(five || (three && (two & (two - 1)))) << NOBLEWOMAN;
    cards |= (uint32_t)(total >= 15) << LABORER | (uint32_t)(total >= 20) << MERCHANT;
    cards |= (uint32_t)(total >= 30) << PAWNBROKER;
    cards |= (uint32_t)!(faces & 42) << MAID | (uint32_t)!(faces & 21) << PHILOSOPHER;
    cards |= (uint32_t)((faces & 31) == 31 || (faces & 62) == 62) << MAGICIAN | (uint32_t)(faces == 63) << ALCHEMIST;
    return cards;
}

static uint32_t claimable(const Game *g) {
    uint32_t own = g->own[g->seat];
    return (earned(g->aside) & g->on_table & ~own) | (own >> FOOL & 1) << CHARLATAN;
}

/* The king goes to the active player, whose group is now the one to beat. */
static void crown(Game *g) {
    if (g->king != NOBODY)
        g->own[g->king] &= ~BIT(KING);
    g->own[g->seat] |= BIT(KING);
    g->king = g->seat;
    g->mark = best(g->aside);
}

/* The best group becomes this seat's result, unless a better one is there already (the queen's holder's own). */
static void note(Game *g) {
    uint32_t group = best(g->aside);
    if (group > g->results[g->seat])
        g->results[g->seat] = group;
}

static void claim(Game *g, uint32_t card) {
    if (card == CHARLATAN) {
        g->own[g->seat] &= ~BIT(FOOL);  /* the fool is flipped */
        g->charlatans[g->seat]++;
    } else {
        g->own[g->seat] |= BIT(card);
        if (--g->supply[card] == 0)
            g->on_table &= ~BIT(card);
    }
    if (card == KING) {
        g->own[g->seat] |= BIT(QUEEN);
        g->queen = g->seat;
        note(g);
        crown(g);
    }
    end_turn(g);
}

/* All dice are set aside: they are the result. In the last round a better one takes the king; for the queen's holder
   an equal one is enough. */
static void finish(Game *g) {
    if (!g->final) {
        g->phase = CLAIMING;
        return;
    }
    uint32_t group = best(g->aside);
    if (group > g->mark || (g->seat == g->queen && group == g->mark))
        crown(g);
    note(g);
    end_turn(g);
}

/* --- the alchemist ------------------------------------------------------------------------------------------------ */

/* Sums that two or three dice can show in more than one way. */
#define TWO_SUMS (BIT(11) - BIT(4))
#define THREE_SUMS (BIT(17) - BIT(5))

/* Can so many dice of this sum, or with more of the rest, be turned into others? */
static bool can_become(Dice rest, uint32_t dice, uint32_t total) {
    if (dice == 3)
        return THREE_SUMS >> total & 1;
    if (dice == 2)
        return (TWO_SUMS >> total & 1) || (at_least(rest, 1) << (total + 1) & THREE_SUMS);
    FOR_EACH(face, at_least(rest, 1))
        if (can_become(rest - DIE(face), 2, total + face + 1))
            return true;
    return false;
}

static uint32_t takes(const Game *g) {
    uint32_t set = 0, dice = count(g->taken), total = sum(g->taken);
    FOR_EACH(face, at_least(g->active, 1))
        set |= (uint32_t)can_become(g->active - DIE(face), dice + 1, total + face + 1) << face;
    return set;
}

static bool can_start_turning(const Game *g) {
    uint32_t dice = count(g->taken);
    return dice > 1 && (dice == 2 ? TWO_SUMS : THREE_SUMS) >> sum(g->taken) & 1;
}

/* The faces the next die may get, in ascending order, so that the sum comes out and the dice differ from before. */
static uint32_t turns(const Game *g) {
    uint32_t set = 0;
    int left = (int)(count(g->taken) - count(g->turned)) - 1;
    for (int face = (int)g->last_turned; face < 6; face++) {
        int rest = (int)(sum(g->taken) - sum(g->turned)) - face - 1;
        Dice given = g->turned + DIE(face);
        bool can = false;
        if (left == 0)
            can = rest == 0 && given != g->taken;
        else if (left == 1)
            can = face < rest && rest <= 6 && given + DIE(rest - 1) != g->taken;
        else
            for (int second = face; second < 6; second++) {
                int third = rest - second - 2;
                can |= second <= third && third < 6 && given + DIE(second) + DIE(third) != g->taken;
            }
        set |= (uint32_t)can << face;
    }
    return set;
}

static void turn(Game *g, uint32_t face) {
    g->phase = ALCHEMIST_TURNS;
    g->turned += DIE(face);
    g->last_turned = face;
    if (count(g->turned) == count(g->taken)) {
        g->active += g->turned;
        g->taken = 0;
        g->turned = 0;
        g->last_turned = 0;
        g->phase = ACTING;
    }
}

/* --- what may be done --------------------------------------------------------------------------------------------- */

typedef struct {
    uint8_t verb, x;
    uint32_t set;  /* of y */
} Some;

typedef struct {
    Some some[32];
    uint32_t kinds, moves;
} Legal;

static inline void put(Legal *l, Verb verb, uint32_t x, uint32_t set) {
    l->some[l->kinds++] = (Some){(uint8_t)verb, (uint8_t)x, set};
    l->moves += (uint32_t)__builtin_popcount(set);
}

static void put_adds(const Game *g, Legal *l) {
    uint32_t own = powers(g);
    if (g->dice < DICE_LIMIT) {
        put(l, ADD, 0, own & ADDERS);
        if (own & BIT(QUEEN))
            put(l, ADD_ANY, 0, 63);
    }
}

/* What the philosopher may do, by the giver and the set of receivers: bits 5 * receiver + pips - 1. Moves that would
   only swap two faces change nothing and are left out. */
static uint32_t SHIFTS[6][32];

static __attribute__((constructor)) void tabulate(void) {
    for (int giver = 1; giver < 6; giver++)
        for (uint32_t receivers = 0; receivers < 32; receivers++)
            FOR_EACH(receiver, receivers)
                for (int pips = 1; pips <= giver && pips <= 5 - (int)receiver; pips++)
                    if (pips != giver - (int)receiver)
                        SHIFTS[giver][receivers] |= BIT(5 * receiver + (uint32_t)pips - 1);
}

static void put_acts(const Game *g, Legal *l) {
    uint32_t faces = at_least(g->active, 1), own = powers(g);
    if (!faces) {
        put(l, FINISH, 0, 1);
        put_adds(g, l);
        return;
    }
    put(l, KEEP, 0, faces);
    if (g->kept)
        put(l, ROLL, 0, 1);
    put_adds(g, l);
    if (own & BIT(FOOL))
        put(l, RE_ROLL, 0, faces);
    if (own & BIT(MERCHANT))
        put(l, RE_ROLL_SOME, 0, faces);
    if (own & BIT(NOBLEWOMAN))
        put(l, RAISE_BY_1, 0, faces & 31);
    if (own & BIT(NOBLEMAN))
        put(l, RAISE_BY_2, 0, faces & 15);
    if (own & BIT(MAID))
        FOR_EACH(face, faces & 31)
            put(l, RAISE, face, face < 3 ? 7 : 7 >> (face - 2));
    if (own & BIT(PHILOSOPHER)) {
        uint32_t twice = at_least(g->active, 2);
        FOR_EACH(giver, faces & 62)
            put(l, SHIFT, giver, SHIFTS[giver][((faces & ~BIT(giver)) | (twice & BIT(giver))) & 31]);
    }
    if (own & BIT(ASTRONOMER))
        FOR_EACH(to, at_least(g->aside, 1))
            put(l, COPY, to, faces & ~BIT(to));
    if (own & BIT(MAGICIAN))
        FOR_EACH(face, faces)
            put(l, CHANGE, face, 63 & ~BIT(face));
    if (own & BIT(ALCHEMIST))
        put(l, TAKE, 0, takes(g));
}

static void legal(const Game *g, Legal *l) {
    l->kinds = 0;
    l->moves = 0;
    switch (g->phase) {
    case ACTING:
        put_acts(g, l);
        break;
    case BEFORE:
        put(l, ROLL, 0, 1);
        if (g->final)
            put(l, CONCEDE, 0, 1);
        put_adds(g, l);
        break;
    case CLAIMING:
        put(l, PASS, 0, 1);
        put(l, CLAIM, 0, claimable(g));
        break;
    case ALCHEMIST_TAKES:
        if (count(g->taken) < 3)
            put(l, TAKE, 0, takes(g));
        if (can_start_turning(g))
            put(l, TURN, 0, turns(g));
        break;
    case ALCHEMIST_TURNS:
        put(l, TURN, 0, turns(g));
        break;
    default: {
        uint32_t faces = at_least(g->active, 1);
        put(l, DONE, 0, 1);
        if (g->phase == MERCHANT_TAKES)
            put(l, RE_ROLL_SOME, 0, faces);
        else if (g->phase == NOBLEWOMAN_RAISES)
            put(l, RAISE_BY_1, 0, faces & 31);
        else
            put(l, RAISE_BY_2, 0, faces & 15);
    }
    }
}

/* --- the moves ---------------------------------------------------------------------------------------------------- */

/* One more die for the power in use; a raised one shows its new face at once. */
static inline void take(Game *g, uint32_t card, Phase phase, uint32_t face, uint32_t to) {
    g->used |= BIT(card);
    g->phase = phase;
    g->active -= DIE(face);
    g->taken += DIE(to);
}

static inline void change(Game *g, uint32_t card, uint32_t face, uint32_t to) {
    g->used |= BIT(card);
    g->active += DIE(to) - DIE(face);
}

/* Before the first roll the die joins it and its face is lost. */
static inline void add(Game *g, uint32_t card, uint32_t face) {
    g->used |= BIT(card);
    g->dice++;
    if (g->phase != BEFORE)
        g->active += DIE(face);
    else if (!g->final && !can_add(g))
        roll(g);
}

static void done(Game *g) {
    uint32_t dice = count(g->taken);
    if (g->phase == MERCHANT_TAKES)
        fall(g, dice);
    else
        g->active += g->taken;
    g->taken = 0;
    g->phase = ACTING;
}

static void apply(Game *g, Verb verb, uint32_t x, uint32_t y) {
    switch (verb) {
    case KEEP:
        g->active -= DIE(y);
        g->aside += DIE(y);
        g->kept = true;
        if (!g->active && !can_add(g))
            finish(g);
        break;
    case ROLL:
        roll(g);
        break;
    case FINISH:
        finish(g);
        break;
    case CLAIM:
        claim(g, y);
        break;
    case PASS:
    case CONCEDE:
        end_turn(g);
        break;
    case ADD:
        add(g, y, (uint32_t)__builtin_popcount(ADDERS & (BIT(y) - 1)));
        break;
    case ADD_ANY:
        add(g, QUEEN, y);
        break;
    case RE_ROLL:
        g->used |= BIT(FOOL);
        g->active -= DIE(y);
        fall(g, 1);
        break;
    case RE_ROLL_SOME:
        take(g, MERCHANT, MERCHANT_TAKES, y, y);
        break;
    case RAISE:
        change(g, MAID, x, x + y + 1);
        break;
    case SHIFT: {
        uint32_t receiver = y / 5, pips = y % 5 + 1;
        change(g, PHILOSOPHER, x, x - pips);
        change(g, PHILOSOPHER, receiver, receiver + pips);
        break;
    }
    case COPY:
        change(g, ASTRONOMER, y, x);
        break;
    case CHANGE:
        change(g, MAGICIAN, x, y);
        break;
    case RAISE_BY_1:
        take(g, NOBLEWOMAN, NOBLEWOMAN_RAISES, y, y + 1);
        break;
    case RAISE_BY_2:
        take(g, NOBLEMAN, NOBLEMAN_RAISES, y, y + 2);
        break;
    case TAKE:
        take(g, ALCHEMIST, ALCHEMIST_TAKES, y, y);
        break;
    case TURN:
        turn(g, y);
        break;
    case DONE:
        done(g);
        break;
    }
}

/* One move at random. */
static void step(Game *g) {
    Legal l;
    legal(g, &l);
    uint32_t k = below(&g->rng, l.moves);
    const Some *some = l.some;
    for (uint32_t n; k >= (n = (uint32_t)__builtin_popcount(some->set)); some++)
        k -= n;
    apply(g, some->verb, some->x, nth_bit(some->set, k));
}

/* --- whole games -------------------------------------------------------------------------------------------------- */

/* Games first to first + games - 1 of a seed. Of each: its decisions, its random events, and each seat's score. */
void play(uint64_t number, uint32_t first, uint32_t games, int32_t round_limit, int64_t (*out)[2 + PLAYERS]) {
    for (uint32_t game = 0; game < games; game++) {
        Game g;
        memset(&g, 0, sizeof g - sizeof g.rng);
        seed(&g.rng, number, first + game);
        memcpy(g.supply, COPIES, sizeof COPIES);
        g.on_table = BIT(QUEEN) - 1 - BIT(CHARLATAN);
        g.king = NOBODY;
        g.queen = NOBODY;
        g.round = 1;
        g.round_limit = round_limit;
        g.start = (int)below(&g.rng, PLAYERS);
        g.events = 1;
        int64_t decisions = 0;
        for (begin_turn(&g); g.phase != OVER; decisions++)
            step(&g);
        out[game][0] = decisions;
        out[game][1] = g.events;
        for (int seat = 0; seat < PLAYERS; seat++) {
            uint32_t group = g.results[seat];
            int rank = seat == g.queen ? 9 : 5 - (seat - g.start + PLAYERS) % PLAYERS;
            out[game][2 + seat] = group ? 100 * (int)(group >> 4) + 10 * (int)(group & 15) + rank : 0;
        }
    }
}
