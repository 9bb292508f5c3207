"""Games against bots without a server: what runs in the browser then, and the folder of files that it needs."""
