"""The web service: routes, worker processes, and the guards of the socket."""
