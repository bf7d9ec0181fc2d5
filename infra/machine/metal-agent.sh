#!/bin/bash
# The bare-metal agent, called over SSH by `pulumi up` (infra/src/metal.ts) as root:
#   metal-agent.sh install NAME    on stdin, the first time, and when GitHub has forgotten the runner (14 days unseen): GitHub's registration token,
#                                  and on a second line the repository's address
#   metal-agent.sh remove NAME
# and by its owner, on the host:
#   metal-agent.sh remove NAME <FILE    the runner leaves GitHub's list too: in the file, GitHub's removal token
#   metal-agent.sh runner NAME     GitHub's runner, the version that `versions` names
# As often as you like; each waits for the job that runs. The token comes by stdin because arguments and variables show up in `ps` and logs.
# Exit 75: nothing is wrong with what was asked, again later. Pulumi shows what a command printed that did not end with 0.
set -euo pipefail
action=${1-} name=${2-}
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${PERF_LAB_AGENT_ROOT:-}    # a test's folder in the place of /
runner=$root/opt/actions-runner
# shellcheck disable=SC2034
user=${PERF_LAB_AGENT_USER:-lab-runner}

fail() { printf 'metal-agent: %s\n' "$*" >&2; exit 1; }
has_systemd() { [[ -z $root && -d /run/systemd/system ]]; }
[[ $name =~ ^[a-z][a-z0-9-]{1,30}$ ]] || fail "the name \"${name:0:40}\" must match ^[a-z][a-z0-9-]{1,30}$"
for part in before docker-daemon prerequisites turn registration; do
  # shellcheck source=/dev/null
  . "$here/metal/$part.sh"    # each says in its head what it is for
done

install_agent() {
  local copy old
  read_token
  check_token
  check_prerequisites
  take_turn
  trap start_runner EXIT    # also when something below fails: what is registered goes on
  if has_systemd; then systemctl --quiet stop perf-lab-metal-runner.service 2>/dev/null || true; fi
  bash "$here/install.sh" metal ${root:+--root "$root"}    # what Pulumi copies has lost its modes
  need_runner
  register
  allow_workflow
  copy=$(dirname "$here")
  for old in "$(dirname "$copy")"/perf-lab-agent-*; do    # earlier copies of this folder
    if [[ -d $old && $old != "$copy" ]]; then rm -rf -- "$old"; fi
  done
}

remove_agent() {
  local docker=0
  read_token
  [[ ! -e $root/var/lib/perf-lab/before/files ]] || take_turn
  if has_systemd; then systemctl --quiet stop perf-lab-after-job.path perf-lab-after-job.service 'perf-lab-*.service' 2>/dev/null || true; fi
  if forget_daemon; then docker=1; fi
  bring_back_files
  rm -rf -- "$root/etc/perf-lab" "$root/run/perf-lab" "$runner/_work"
  if has_systemd; then
    bring_back_state
    if ((docker)); then restart_docker || echo 'metal-agent: Docker does not start with its former settings: journalctl -u docker'; fi
  fi
  echo "metal-agent: removed $name"
  deregister
  if [[ -z $root ]]; then
    forget_users
    if [[ -d $runner ]]; then chown -R -- root: "$runner"; echo "metal-agent: GitHub's runner stays in $runner: remove the folder when nobody needs it"; fi
    echo 'metal-agent: clock, SMT, interrupts and huge pages are as before after a reboot'
  fi
  rm -rf -- "$root/var/lib/perf-lab"
}

case $action in
  install) install_agent ;;
  remove) remove_agent ;;
  runner)
    take_turn
    trap start_runner EXIT
    if has_systemd; then systemctl --quiet stop perf-lab-metal-runner.service 2>/dev/null || true; fi
    fetch_runner
    ;;
  *) fail 'first argument: install, remove or runner' ;;
esac
