#!/bin/bash
# The bare-metal agent, called over SSH by `pulumi up` (infra/src/metal.ts) as root:
#   metal-agent.sh install NAME    on stdin, the first time only: GitHub's registration token, and on a second line the repository's address
#   metal-agent.sh remove NAME     on stdin, if the runner is to leave GitHub's list too: GitHub's removal token
# As often as you like. The token comes by stdin because arguments and variables show up in `ps` and logs.
set -euo pipefail
action=${1-} name=${2-}
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${PERF_LAB_AGENT_ROOT:-}    # a test's folder in the place of /
runner=$root/opt/actions-runner
user=${PERF_LAB_AGENT_USER:-lab-runner}

fail() { printf 'metal-agent: %s\n' "$*" >&2; exit 1; }
[[ $name =~ ^[a-z][a-z0-9-]{1,30}$ ]] || fail "the name \"${name:0:40}\" must match ^[a-z][a-z0-9-]{1,30}$"

has_systemd() { [[ -z $root && -d /run/systemd/system ]]; }

# GitHub's config.sh refuses root, and takes its token from this variable as well as from an argument, which `ps` would show.
config() {
  local token=$1; shift
  chown -R -- "$user:" "$runner"
  (cd "$runner" && ACTIONS_RUNNER_INPUT_TOKEN=$token runuser -u "$user" -- ./config.sh "$@" </dev/null)
}

register() {
  local token='' address=''
  if [[ ! -t 0 ]]; then read -r -t 5 token || true; read -r -t 5 address || true; fi
  [[ ! -e $runner/.runner ]] || { echo 'metal-agent: the runner is registered'; return; }
  [[ -x $runner/config.sh ]] || { echo "metal-agent: no runner in $runner yet: docs/operations.md, step 7"; return; }
  [[ -n $token && -n $address ]] || fail 'the runner is not registered: hand over a token and the address of the repository on stdin'
  [[ $token =~ ^[A-Z0-9]{20,100}$ ]] || fail 'what came on stdin is not a registration token'
  [[ $address =~ ^https://github\.com/[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] || fail 'the second line is not the address of a repository on github.com'
  config "$token" --unattended --url "$address" --name "$name" --labels "perf-lab-$name" --no-default-labels --disableupdate --replace
  echo 'metal-agent: registered'
}

# Ends well in any case: what is removed stays removed, and what GitHub still has to be told is said.
deregister() {
  local token='' address=''
  if [[ ! -t 0 ]]; then read -r -t 5 token || true; fi
  [[ -e $runner/.runner ]] || { echo 'metal-agent: no runner is registered here'; return; }
  address=$(sed -n 's/.*"gitHubUrl": *"\(https:\/\/github\.com\/[A-Za-z0-9._\/-]*\)".*/\1/p' "$runner/.runner" | head -n 1)
  if [[ ! $token =~ ^[A-Z0-9]{20,100}$ ]]; then
    echo 'metal-agent: no removal token came on stdin'
  elif config "$token" remove; then
    echo 'metal-agent: the runner has left the list on GitHub'
    return
  else
    echo 'metal-agent: GitHub did not take the token (a removal token lives for an hour; the one that registers is another)'
  fi
  printf 'metal-agent: %s\n' "$name STILL STANDS IN THE LIST ON GITHUB, offline. To remove it there:" \
    "  ${address:-https://github.com/OWNER/REPOSITORY}/settings/actions/runners > $name > Remove runner > Force remove this runner" \
    "  or copy the token that this dialog shows, and: metal-agent.sh remove $name <FILE-WITH-THE-TOKEN"
}

case $action in
  install)
    if [[ -n $root ]]; then "$here/install.sh" metal --root "$root"; else "$here/install.sh" metal; fi
    register
    if has_systemd; then systemctl --quiet start perf-lab-metal-runner.service; fi
    ;;
  remove)
    unit=$root/etc/systemd/system
    for file in "$unit"/perf-lab-*.service "$unit"/multi-user.target.wants/perf-lab-*.service; do
      [[ -e $file || -L $file ]] || continue
      if has_systemd; then systemctl --quiet disable --now "${file##*/}" || true; fi
      rm -f -- "$file"
    done
    rm -rf -- "$root/usr/local/lib/perf-lab" "$root/etc/nftables.d/perf-lab.nft" "$root/etc/sysctl.d/60-perf-lab.conf"
    echo "metal-agent: removed $name"
    deregister
    ;;
  *) fail 'first argument: install or remove' ;;
esac
