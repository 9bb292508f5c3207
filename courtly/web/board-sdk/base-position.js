/** What the position of every game begins with; each game adds the names that its own rules give to things. */

/**
 * @typedef {import("../core/api-types.js").View} View
 * @typedef {import("./board-context.js").BoardContext} BoardContext
 */

export class BasePosition {
  /** @param {View} view @param {BoardContext} ui */
  constructor(view, ui) {
    this.view = view;
    this.ui = ui;
    /** The state, as far as the viewer may know it. */
    this.state = view.state;
    /** What follows from it by the rules: see shown.py. */
    this.facts = /** @type {Record<string, any>} */ (view.facts);
    /** The viewer's seat; null: a spectator. */
    this.me = view.seat;
    /** Is it for the viewer to decide something? */
    this.canAct = view.legal.length > 0;
    this.over = view.over;
    /** The name of the phase. */
    this.phase = ui.fieldValueName("phase", this.state.phase);
    this.seats = Array.from({ length: /** @type {number} */ (this.state.players) }, (_, seat) => seat);
  }

  /** The names along an axis of a field. @param {string} field @param {number} [number] the first is 0 */
  axisNames(field, number = 0) {
    return /** @type {string[]} */ (this.ui.about.fields[field].axes[number]);
  }
}
