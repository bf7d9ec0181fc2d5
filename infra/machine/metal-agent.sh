#!/bin/bash
# The bare-metal agent, called over SSH by `pulumi up` (infra/src/metal.ts) as root:
#   metal-agent.sh install NAME    on stdin, the first time, and when GitHub has forgotten the runner (14 days unseen): GitHub's registration token,
#                                  and on a second line the repository's address
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

# A job that measures must not meet new files: whoever changes them waits until it has ended, and the reboot after it.
wait_for_job() {
  local busy=${PERF_LAB_BUSY:-/run/perf-lab/busy} patience=${PERF_LAB_PATIENCE:-1200} i
  for ((i = 0; i < patience; i++)); do
    [[ -e $busy ]] || return 0
    ((i % 60)) || echo 'metal-agent: a job runs; waiting for its end'
    sleep 1
  done
  fail "a job still runs after $patience s, and nothing was changed: run \`pulumi up\` again when it has ended"
}

registered_address() {
  [[ ! -e $runner/.runner ]] || sed -n 's/.*"gitHubUrl": *"\(https:\/\/github\.com\/[A-Za-z0-9._\/-]*\)".*/\1/p' "$runner/.runner" | head -n 1
}

# Only the lab's own workflow on the default branch; an owner with another branch changes this line.
allow_workflow() {
  local address file=$root/etc/perf-lab/allowed-workflow
  address=$(registered_address)
  [[ ! -e $file && -n $address ]] || return 0
  printf '%s/.github/workflows/benchmark.yml@refs/heads/main\n' "${address#https://github.com/}" >"$file"
}

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
  [[ -z $token || $token =~ ^[A-Z0-9]{20,100}$ ]] || fail 'what came on stdin is not a registration token'
  [[ -z $token || $address =~ ^https://github\.com/[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] || fail 'the second line is not the address of a repository on github.com'
  # Another token than the one that it was registered with says: do it again.
  local known=$root/etc/perf-lab/registered-with hash
  hash=$(printf '%s' "$token" | sha256sum | cut -d ' ' -f 1)
  if [[ -e $runner/.runner ]]; then
    if [[ -z $token || $(cat "$known" 2>/dev/null || true) == "$hash" ]]; then echo 'metal-agent: the runner is registered'; return; fi
    echo 'metal-agent: another token: the runner is registered anew'
    config '' remove --local
  fi
  [[ -x $runner/config.sh ]] || { echo "metal-agent: no runner in $runner yet: docs/operations.md, step 6"; return; }
  [[ -n $token && -n $address ]] || fail 'the runner is not registered: hand over a token and the address of the repository on stdin'
  config "$token" --unattended --url "$address" --name "$name" --labels "perf-lab-$name" --no-default-labels --disableupdate --replace
  printf '%s\n' "$hash" >"$known"
  echo 'metal-agent: registered'
}

# Ends well in any case: what is removed stays removed, and what GitHub still has to be told is said.
deregister() {
  local token='' address=''
  if [[ ! -t 0 ]]; then read -r -t 5 token || true; fi
  [[ -e $runner/.runner ]] || { echo 'metal-agent: no runner is registered here'; return; }
  address=$(registered_address)
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
    wait_for_job
    if [[ -n $root ]]; then "$here/install.sh" metal --root "$root"; else "$here/install.sh" metal; fi
    register
    allow_workflow
    if has_systemd; then systemctl --quiet start perf-lab-metal-runner.service; fi
    for old in "$(dirname "$here")"/perf-lab-agent-*; do    # earlier copies of this folder
      if [[ -d $old && $old != "$here" ]]; then rm -rf -- "$old"; fi
    done
    ;;
  remove)
    unit=$root/etc/systemd/system
    for file in "$unit"/perf-lab-*.{service,path} "$unit"/multi-user.target.wants/perf-lab-*.{service,path}; do
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
