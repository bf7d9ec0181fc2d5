# shellcheck shell=bash
# shellcheck disable=SC2154,SC2016    # whoever sources this has set root, here, runner, user and name
# Whose turn it is on an agent: a job's, or that of whoever changes its files. Sourced.
# Both meet at one lock, the folder /etc/perf-lab: job-started waits for it, and after-job reboots only when it is free. So new files come between the end
# of a job and its reboot, and the connection that brings them lives until they are there.
busy=${PERF_LAB_BUSY:-/run/perf-lab/busy} done=${PERF_LAB_DONE:-/run/perf-lab/done}

again() { printf 'metal-agent: %s\n' "$*" >&2; exit 75; }    # EX_TEMPFAIL: `pulumi up` fails with this text, and does it again the next time

worker_lives() { [[ -z $root ]] && pgrep --exact Runner.Worker >/dev/null; }

take_turn() {
  local patience=${PERF_LAB_PATIENCE:-1200} i dead=0
  install -d -m 0755 "$root/etc/perf-lab"
  exec 9<"$root/etc/perf-lab"
  flock --wait "$patience" 9 || again "another installation is under way on this host, and nothing was changed: run \`pulumi up\` again"
  for ((i = 0; i < patience; i++)); do
    if has_systemd && [[ $(systemctl is-system-running || true) == stopping ]]; then again 'the host is rebooting, and nothing was changed: run `pulumi up` again in some minutes'; fi
    if worker_lives; then dead=0
    elif [[ ! -e $busy || -e $done ]]; then return 0
    elif ((dead++ > 60)); then echo 'metal-agent: a job has ended without a word'; return 0; fi
    ((i % 60)) || echo 'metal-agent: a job runs; waiting for its end'
    sleep 1
  done
  again "a job still runs after $patience s, and nothing was changed: run \`pulumi up\` again when it has ended"
}

# Not between a job and its reboot: the runner would take the next one.
start_runner() { if has_systemd && [[ ! -e $done && -e /etc/systemd/system/perf-lab-metal-runner.service ]]; then systemctl --quiet start perf-lab-metal-runner.service; fi; }
