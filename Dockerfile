# The page and the service: docker build -t workings . && docker run -p 127.0.0.1:8000:8000 workings
FROM python:3.11-slim

WORKDIR /opt/workings
# --build-arg PIP_EXTRA_INDEX_URL=... names PyTorch's index of CPU builds, for a smaller image.
ARG PIP_EXTRA_INDEX_URL
ENV PIP_NO_CACHE_DIR=1 \
    PYTHONDONTWRITEBYTECODE=1
COPY requirements requirements
RUN pip install --no-deps --require-hashes -r requirements/serve.txt \
    && pip install -r requirements/torch.txt \
    && useradd --create-home reader
COPY pyproject.toml README.md LICENSE ./
COPY recipes recipes
COPY src src
RUN pip install --no-deps .

USER reader
WORKDIR /home/reader
EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=5)"]
# Listens on all addresses of the container; only a published port can be reached from outside.
ENTRYPOINT ["workings", "serve", "--host", "0.0.0.0"]
