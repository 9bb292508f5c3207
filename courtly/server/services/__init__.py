"""Chat, hints, notifications, analyses, replays, images."""
