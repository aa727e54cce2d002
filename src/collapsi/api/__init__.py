"""The questions of the service and the static page, and their answers as JSON. No HTTP here."""
