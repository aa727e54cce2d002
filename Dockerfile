# The page and its API: docker build --tag collapsi . && docker run --rm --publish 127.0.0.1:8000:8000 collapsi
# docs/container.md says more.
FROM python:3.13-slim AS build
COPY . /source
RUN python -m venv /opt/collapsi && /opt/collapsi/bin/pip install --no-cache-dir "/source[serve]"

FROM python:3.13-slim
COPY --from=build /opt/collapsi /opt/collapsi
# The census, and the machine code of the solver, which cannot be kept beside its source here.
ENV XDG_CACHE_HOME=/cache NUMBA_CACHE_DIR=/cache/numba PATH=/opt/collapsi/bin:$PATH
RUN useradd --system --no-create-home collapsi && install --directory --owner collapsi /cache
USER collapsi
VOLUME /cache
EXPOSE 8000
# All addresses of the container; who may come in is for --publish to say.
CMD ["collapsi", "serve", "--host", "0.0.0.0"]
