#!/usr/bin/env bash
# npm_install.sh SOURCES BUILD: install into BUILD what SOURCES/package-lock.json pins by version and
# hash, unless it is there.
set -euo pipefail
sources=$1
build=$2
cache=${TFLM_CACHE:-$HOME/.cache/tflm}/npm

command -v npm >/dev/null || {
    echo "error: npm is missing: run \`make setup\`" >&2
    exit 1
}
mkdir -p "$build"
# Two at once would remove each other's files.
exec 9>"$build.npm.lock"
flock 9 2>/dev/null || true
lock=$sources/package-lock.json
if ! cmp --silent "$lock" "$build/package-lock.json" || [ ! -d "$build/node_modules" ]; then
    cp "$sources/package.json" "$lock" "$sources/.npmrc" "$build"
    npm --prefix "$build" --cache "$cache" --no-update-notifier ci >"$build.log" 2>&1 || {
        rm -f "$build/package-lock.json"
        tail -n 20 "$build.log" >&2
        echo "error: npm cannot install what $lock names" >&2
        exit 1
    }
fi
