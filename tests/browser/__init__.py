"""The page in a real browser: Chromium, driven by Playwright, against the real server."""
