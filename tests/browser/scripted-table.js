/* A table whose messages come from the test, without a server. Every test page has it as
   `showScriptedTable`; `receiveMessage` sends further messages. */
window.showScriptedTable = async (info, messages) => {
  const page = document.createElement("div");
  page.id = "page";
  document.getElementById("page").replaceWith(page); // the old element keeps being redrawn, but is detached
  const router = document.querySelector("script[type=module]").src;
  const { mountGameView } = await import(router.replace("router.js", "game-view/game-view.js"));
  let receive;
  const open = (listener) => {
    receive = window.receiveMessage = listener.onMessage;
    messages.forEach(receive);
  };
  await mountGameView(page, info, { open, send: async (message) => (await window.respond(message)).forEach(receive) });
};
