"""The service: a page to play and analyse on, and the API behind it. No game logic here.

`app` puts it together, `api` holds what may be asked, `models` what the answers look like that only it gives,
`shown` a game as the page shows it, `atlases` the census kept in the user's cache folder, `server` the socket
and its limits,
`page/` the files of the page.
"""
