#!/bin/bash
# Puts the lab's files on a machine and switches off what disturbs measurements. As often as you like: the second time changes nothing.
#   install.sh azure|metal [--root DIR]
# With --root only files are written (an image that is being built, a test).
set -euo pipefail
kind=${1-}; shift || true
[[ $kind == azure || $kind == metal ]] || { echo 'install.sh: first argument: azure or metal' >&2; exit 2; }
root=
if [[ ${1-} == --root ]]; then root=${2:?folder}; fi
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [[ $kind == metal ]]; then    # a host that has an owner: what it had comes back when the agent goes
  # shellcheck source=/dev/null
  . "$here/metal/before.sh"
  # shellcheck source=/dev/null
  . "$here/metal/docker-daemon.sh"
else
  keep() { :; }
fi

changed=0
put() {    # file below files/: copied when it differs
  local file=$1 target=$root/$1 mode=0644
  [[ $file == usr/local/lib/perf-lab/* ]] && mode=0755
  cmp -s "$here/files/$file" "$target" && [[ $(stat -c %a "$target") == "${mode#0}" ]] && return
  keep "$file"
  install -D -m "$mode" "$here/files/$file" "$target"
  changed=$((changed + 1))
}

timers=(apt-daily.timer apt-daily-upgrade.timer unattended-upgrades.service fstrim.timer man-db.timer motd-news.timer e2scrub_all.timer logrotate.timer irqbalance.service)
if [[ $kind == metal && -z $root ]]; then remember "${timers[@]}"; fi

while IFS= read -r -d '' file; do
  file=${file#"$here/files/"}
  if [[ $kind != metal || $file != etc/docker/daemon.json ]]; then put "$file"; else write_daemon; fi
done < <(find "$here/files" -type f -print0 | sort -z)

conf=$root/etc/perf-lab/machine.conf
if [[ ! -e $conf ]]; then    # an owner may have changed it
  keep etc/perf-lab/machine.conf
  install -d -m 0755 "$(dirname "$conf")"
  printf '# The one place that says whose cores are whose (docs/machines.md): LAB_CPUS for everything but workloads, the others for them.\nKIND=%s\nLAB_CPUS=0-1\n' "$kind" >"$conf"
  changed=$((changed + 1))
fi

units=(perf-lab-quiet.service perf-lab-firewall.service)
# What is started when there is something to run, not here: a restart would end the request that it serves.
later=()
if [[ $kind == azure ]]; then units+=(perf-lab-watchdog.service); else units+=(perf-lab-after-job.path); later+=(perf-lab-reset.service perf-lab-metal-runner.service); fi
link() { [[ $(readlink "$root/$2" 2>/dev/null || true) == "$1" ]] || { keep "$2"; ln -sfn "$1" "$root/$2"; changed=$((changed + 1)); }; }
install -d "$root/etc/systemd/system/multi-user.target.wants"
for unit in "${timers[@]}"; do link /dev/null "etc/systemd/system/$unit"; done
for unit in "${units[@]}" "${later[@]}"; do link "/etc/systemd/system/$unit" "etc/systemd/system/multi-user.target.wants/$unit"; done

if [[ -z $root ]]; then
  id perf-lab-watch >/dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin perf-lab-watch
  id lab-runner >/dev/null 2>&1 || /usr/local/lib/perf-lab/reset-user lab-runner
  install -d -m 0755 /run/perf-lab
  # Where a job of the bare-metal agent says that it runs and that it has ended.
  if [[ $kind == metal ]]; then install -d -m 0775 -g lab-runner /run/perf-lab; fi
  # The watchdog's program comes with the request's tools, by a job that runs as this user.
  if [[ $kind == azure ]]; then install -d -m 0755 -o lab-runner /opt/perf-lab/runner; fi
  if [[ -d /run/systemd/system ]]; then
    systemctl daemon-reload
    systemctl --quiet stop "${timers[@]}" 2>/dev/null || true
    systemctl --quiet restart "${units[@]}"
    # The distribution has started it with its own settings. On a host that has an owner: write_daemon, when they changed.
    if [[ $kind == azure ]]; then systemctl --quiet try-restart docker.service; fi
  fi
fi
echo "install.sh: $changed changed"
