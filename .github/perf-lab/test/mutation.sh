#!/usr/bin/env bash
# Mutates src/ of a copy, one change at a time, and counts the changes that no test notices. `npm run mutate [-- --mutate 'src/gate/**/*.ts']`.
# A copy, because the changes are made in place: the tests read files of the whole repository. Ends with 1 when more than 5 % survive.
set -euo pipefail
package=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=$(cd "$package/../.." && pwd)
copy=$(mktemp --directory)
trap 'rm -rf "$copy"' EXIT
git -C "$root" ls-files -z --cached --others --exclude-standard | (cd "$root" && tar --create --null --files-from=- --ignore-failed-read 2>/dev/null) | tar --extract --directory="$copy"
ln -s "$package/node_modules" "$copy/.github/perf-lab/node_modules"
cd "$copy/.github/perf-lab"
code=0
node node_modules/@stryker-mutator/core/bin/stryker.js run "$@" || code=$?
if [[ -f mutation.json ]]; then mkdir -p "$package/out" && cp mutation.json "$package/out/mutation.json"; fi
exit "$code"
