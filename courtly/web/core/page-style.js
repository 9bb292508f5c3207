/**
 * Load a style sheet that only one page needs.
 * @param {string} href @returns {Promise<void>} when it applies, or could not be loaded
 */
export function loadStyle(href) {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = href;
  return new Promise((done) => {
    style.onload = style.onerror = () => done();
    document.head.append(style);
  });
}
