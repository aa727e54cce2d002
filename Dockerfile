# The page and its API: docker build --tag collapsi . && docker run --rm --publish 127.0.0.1:8000:8000 collapsi
# See docs/container.md.
FROM python:3.13-slim AS build
COPY . /source
RUN python -m venv /opt/collapsi && /opt/collapsi/bin/pip install --no-cache-dir "/source[serve]"

FROM python:3.13-slim
COPY --from=build /opt/collapsi /opt/collapsi
# Folders for the census and for the solver's machine code, which cannot be stored next to the source here.
ENV XDG_CACHE_HOME=/cache NUMBA_CACHE_DIR=/cache/numba PATH=/opt/collapsi/bin:$PATH
RUN useradd --system --no-create-home collapsi && install --directory --owner collapsi /cache
USER collapsi
VOLUME /cache
EXPOSE 8000
# Listen on all addresses of the container; the --publish option decides who can connect.
CMD ["collapsi", "serve", "--host", "0.0.0.0"]
