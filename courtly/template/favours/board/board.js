import { html, nothing } from "lit";

/** Cards of one rank. `key` says where they lie, so that they travel from there. */
const card = (ui, rank, n, key) => html`<div class="card" data-key="${key}-${ui.axes.rank[rank]}">
  <b>${rank + 1}</b><span>${ui.t(`favours-rank-${ui.axes.rank[rank]}`)}</span>${n > 1 ? html`<i>×${n}</i>` : nothing}
</div>`;

/** How many there are of each rank. */
const cards = (ui, counts, key) => counts.map((n, rank) => (n ? card(ui, rank, n, key) : nothing));

export function board(view, ui) {
  return html`<div class="favours">
    <div class="court">${view.facts.worth.map((worth, n) => before(view, ui, n, worth))}</div>
    <p class="quiet">${piles(view, ui)}</p>
    ${view.state.size[ui.me] ? own(view, ui) : nothing}
  </div>`;
}

/** What lies before a player: a secret is seen by who gave it, the others see its back. */
function before(view, ui, n, worth) {
  const { given, secret, hidden } = view.state;
  const back = html`<div class="card back" data-key="back-${n}"><b>?</b><span>${ui.t("favours-in-secret")}</span>
    ${hidden[n] > 1 ? html`<i>×${hidden[n]}</i>` : nothing}</div>`;
  const secrets = secret[n] ? cards(ui, secret[n], `secret-${n}`) : back;
  return html`<section class="seat-${n}">
    <h2>${ui.shield(n)} ${ui.labelled(ui.name(n), worth)}</h2>
    <div class="row">${cards(ui, given[n], `given-${n}`)}
      ${hidden[n] ? html`<div class="secret row">${secrets}</div>` : nothing}
    </div>
  </section>`;
}

function piles(view, ui) {
  const { left, gone } = view.state;
  const names = gone.flatMap((n, rank) => (n ? [`${ui.t(`favours-rank-${ui.axes.rank[rank]}`)} ×${n}`] : []));
  return ui.sentences([
    ui.labelled(ui.t("favours-deck"), left),
    ...(names.length ? [ui.labelled(ui.t("favours-gone"), ui.list(names))] : []),
  ]);
}

function own(view, ui) {
  return html`<section class="own">
    <h2>${ui.t("favours-hand")}</h2>
    <div class="row">${view.state.hand[ui.me].map((n, rank) => (n ? held(view, ui, rank, n) : nothing))}</div>
  </section>`;
}

/** A card in hand, and what can be done with it. */
function held(view, ui, rank, n) {
  const args = { rank: ui.axes.rank[rank] };
  const driven = ui.can("give", args).length ? view.facts.drives[rank] : [];
  return html`<div class="held">
    ${card(ui, rank, n, "hand")} ${button(ui, ui.can("give", args), "favours-openly")}
    ${button(ui, ui.can("hide", args), "favours-secretly", "quiet")}
    ${driven.length ? html`<small>${ui.t("favours-drives", { names: ui.names(driven) })}</small>` : nothing}
  </div>`;
}

/** For one move, or none: the words beside the card are short, those for whoever does not see it are whole. */
const button = (ui, moves, words, extra = "") =>
  moves.map(
    (move) => html`<button class="button small ${extra}" aria-label=${ui.order(move)} @click=${() => ui.play(move)}>
      ${ui.t(words)}
    </button>`,
  );

export const seat = (view, n, ui) => ui.labelled(ui.t("favours-cards"), view.state.size[n]);

export function prompt(view, ui) {
  if (!view.pending.length) return ui.t("favours-over");
  return view.pending.includes(ui.me)
    ? ui.t("favours-give-a-card")
    : ui.t("favours-waiting", { name: ui.name(view.state.seat) });
}

/** A card comes from its player's hand, one's own from where it was seen; of a secret the others see the back. */
const comes =
  (lies) =>
  ({ seat, args }, kit) =>
    kit.travel(
      args ? `${lies}-${seat}-${args.rank}` : `back-${seat}`,
      seat === kit.view.seat ? `hand-${args.rank}` : `seat-${seat}`,
    );

export const cues = {
  give: comes("given"),
  hide: comes("secret"),
  draw: ({ args }, kit) => args.rank && kit.appear(`hand-${args.rank}`),
};

export const choices = ".own button";
