# The page and the service: docker build -t workings . && docker run -p 127.0.0.1:8000:8000 workings
FROM python:3.11-slim

WORKDIR /opt/workings
# Name PyTorch's index of CPU builds with --build-arg: smaller, and all that answering needs.
ARG PIP_EXTRA_INDEX_URL
ENV PIP_NO_CACHE_DIR=1 \
    PYTHONDONTWRITEBYTECODE=1
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY recipes recipes
COPY src src
RUN pip install --constraint constraints.txt '.[web,files]' && useradd --create-home reader

USER reader
WORKDIR /home/reader
EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=5)"]
# Inside a container only a published port reaches it.
ENTRYPOINT ["workings", "serve", "--host", "0.0.0.0"]
