#!/bin/bash
# A stand-in for config.sh: refuses root as that does, registers, and leaves the list with the token that removes.
cd "$(dirname "$0")" || exit
if [[ $(id -u) == 0 ]]; then echo 'Must not run with sudo'; exit 1; fi
if [[ $1 == remove ]]; then
  if [[ $* != 'remove --local' && $ACTIONS_RUNNER_INPUT_TOKEN != ZZZZZ* ]]; then echo 'Http response code: NotFound'; exit 1; fi
  rm .runner; exit
fi
[[ $ACTIONS_RUNNER_INPUT_TOKEN =~ ^[A-Y]{29}$ ]] || { echo 'Http response code: NotFound from POST https://api.github.com/actions/runner-registration'; exit 1; }
url=$(sed -n 's/.*--url \([^ ]*\).*/\1/p' <<<"$*")
printf '{\n  "agentName": "ryzen",\n  "gitHubUrl": "%s"\n}\n' "$url" >.runner
