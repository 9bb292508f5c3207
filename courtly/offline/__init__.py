"""Games against bots without a server: the code that runs in the browser, and the static files that it needs."""
