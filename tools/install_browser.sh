#!/bin/sh
# Install Chromium from the system's packages, unless a browser is there. Fails if it cannot.
set -eu

has_browser() {
    for name in chromium chromium-browser google-chrome; do
        if command -v "$name" > /dev/null; then return 0; fi
    done
    return 1
}

if has_browser; then exit 0; fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get > /dev/null; then
    echo "Install Chromium by hand: this needs root and apt-get." >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get --quiet --quiet update
apt-get --quiet --quiet install --yes --no-install-recommends chromium
has_browser
