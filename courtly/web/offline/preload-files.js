/** Loads files before they are needed. */

const STATIC_FOLDER = new URL("../../", import.meta.url);

/** Begin to load what the page needs after its first rendering: the links in its template. */
export function preloadLater() {
  document.head.append(/** @type {HTMLTemplateElement} */ (document.getElementById("later")).content);
}

/** Begin to load modules and style sheets. @param {string[]} paths from the folder of all files */
export function preloadFiles(paths) {
  for (const path of paths) {
    const link = document.createElement("link");
    link.href = new URL(path, STATIC_FOLDER).href;
    link.rel = path.endsWith(".css") ? "preload" : "modulepreload";
    if (path.endsWith(".css")) link.as = "style";
    document.head.append(link);
  }
}
