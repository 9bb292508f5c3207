import { html, nothing } from "lit";

/** Render cards of one rank. `key` names their place; a card is animated from the place that had its key before. */
const renderCard = (ui, rank, n, key) => html`<div class="card" data-key="${key}-${ui.values.rank[rank]}">
  <b>${rank + 1}</b><span>${ui.t(`favours-rank-${ui.values.rank[rank]}`)}</span>${n > 1 ? html`<i>×${n}</i>` : nothing}
</div>`;

/** Render the cards of each rank with their counts. */
const renderCards = (ui, counts, key) => counts.map((n, rank) => (n ? renderCard(ui, rank, n, key) : nothing));

export function board(view, ui) {
  return html`<div class="favours">
    <div class="court">${view.facts.worth.map((worth, n) => renderGifts(view, ui, n, worth))}</div>
    <p class="quiet">${describePiles(view, ui)}</p>
    ${view.state.size[ui.me] ? renderOwn(view, ui) : nothing}
  </div>`;
}

/** Render the gifts in front of a player. Only the giver sees a secret one; the others see its back. */
function renderGifts(view, ui, n, worth) {
  const { given, secret, hidden } = view.state;
  const back = html`<div class="card back" data-key="back-${n}"><b>?</b><span>${ui.t("favours-in-secret")}</span>
    ${hidden[n] > 1 ? html`<i>×${hidden[n]}</i>` : nothing}</div>`;
  const secrets = secret[n] ? renderCards(ui, secret[n], `secret-${n}`) : back;
  return html`<section class="seat-${n}">
    <h2>${ui.renderShield(n)} ${ui.formatLabelled(ui.playerName(n), worth)}</h2>
    <div class="row">${renderCards(ui, given[n], `given-${n}`)}
      ${hidden[n] ? html`<div class="secret row">${secrets}</div>` : nothing}
    </div>
  </section>`;
}

function describePiles(view, ui) {
  const { left, gone } = view.state;
  const names = gone.flatMap((n, rank) => (n ? [`${ui.t(`favours-rank-${ui.values.rank[rank]}`)} ×${n}`] : []));
  return ui.joinSentences([
    ui.formatLabelled(ui.t("favours-deck"), left),
    ...(names.length ? [ui.formatLabelled(ui.t("favours-gone"), ui.formatList(names))] : []),
  ]);
}

function renderOwn(view, ui) {
  return html`<section class="own">
    <h2>${ui.t("favours-hand")}</h2>
    <div class="row">${view.state.hand[ui.me].map((n, rank) => (n ? renderHeld(view, ui, rank, n) : nothing))}</div>
  </section>`;
}

/** Render a card in hand with its possible moves. */
function renderHeld(view, ui, rank, n) {
  const args = { rank: ui.values.rank[rank] };
  const driven = ui.legalMoves("give", args).length ? view.facts.drives[rank] : [];
  return html`<div class="held">
    ${renderCard(ui, rank, n, "hand")} ${renderButtons(ui, ui.legalMoves("give", args), "favours-openly")}
    ${renderButtons(ui, ui.legalMoves("hide", args), "favours-secretly", "quiet")}
    ${driven.length ? html`<small>${ui.t("favours-drives", { names: ui.playerNames(driven) })}</small>` : nothing}
  </div>`;
}

/** Render buttons with short texts beside the card. The accessible label is the full text of the move. */
const renderButtons = (ui, moves, words, extra = "") =>
  moves.map(
    (move) => html`<button class="button small ${extra}" aria-label=${ui.moveText(move)} @click=${() => ui.play(move)}>
      ${ui.t(words)}
    </button>`,
  );

export const seat = (view, n, ui) => ui.formatLabelled(ui.t("favours-cards"), view.state.size[n]);

export function prompt(view, ui) {
  if (!view.pending.length) return ui.t("favours-over");
  return view.pending.includes(ui.me)
    ? ui.t("favours-give-a-card")
    : ui.t("favours-waiting", { name: ui.playerName(view.state.seat) });
}

/**
 * Move a card from its player's hand, or from its visible place in one's own hand. For a secret gift, the others see
 * the back.
 */
const animateCard =
  (lies) =>
  ({ seat, args }, kit) =>
    kit.moveFrom(
      args ? `${lies}-${seat}-${args.rank}` : `back-${seat}`,
      seat === kit.view.seat ? `hand-${args.rank}` : `seat-${seat}`,
    );

export const cues = {
  give: animateCard("given"),
  hide: animateCard("secret"),
  draw: ({ args }, kit) => args.rank && kit.fadeIn(`hand-${args.rank}`),
};

export const choices = ".own button";
