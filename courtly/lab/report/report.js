// The language switch, and the download of records.
const choices = document.querySelectorAll("[name=language]");
for (const choice of choices)
  choice.addEventListener("change", () => {
    document.documentElement.lang = choice.value;
  });
addEventListener("beforeprint", () => {
  for (const closed of document.querySelectorAll("details:not(.log):not([open])")) closed.open = true;
});
for (const link of document.querySelectorAll("[data-record]"))
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const packed = Uint8Array.from(atob(link.dataset.record.replaceAll("-", "+").replaceAll("_", "/")), (c) =>
      c.charCodeAt(0),
    );
    const text = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const saved = document.createElement("a");
    saved.href = URL.createObjectURL(new Blob([await new Response(text).text()], { type: "application/x-ndjson" }));
    saved.download = link.download;
    saved.click();
    URL.revokeObjectURL(saved.href);
  });
