/**
 * A web worker with Python: it loads the interpreter and the games' rules, and answers the calls of
 * courtly/offline/play.py, one at a time.
 */

const workerUrl = import.meta.url;
const PYODIDE_URL = new URL("../vendor/pyodide/", workerUrl).href;

/* Compile the interpreter whatever content type the server sends; the browser's function needs application/wasm. */
WebAssembly.instantiateStreaming = async (answer, imports) =>
  WebAssembly.instantiate(await (await answer).arrayBuffer(), imports);

async function loadPython() {
  const rules = fetch(new URL("rules.zip", workerUrl)).then((answer) => answer.arrayBuffer());
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    import(`${PYODIDE_URL}pyodide.js`),
    import(`${PYODIDE_URL}pyodide.asm.js`),
  ]);
  const python = await loadPyodide({ indexURL: PYODIDE_URL, createPyodideModule });
  python.unpackArchive(await rules, "zip", { extractDir: "/courtly" });
  python.runPython("import sys; sys.path.insert(0, '/courtly')");
  return python.pyimport("courtly.offline.play").CommandDispatcher();
}

const pythonApi = loadPython();
addEventListener("message", async ({ data }) => {
  try {
    postMessage((await pythonApi).answer(data));
  } catch (error) {
    postMessage(JSON.stringify({ wrong: String(error) }));
  }
});
