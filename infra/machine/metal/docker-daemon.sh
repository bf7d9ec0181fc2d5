# shellcheck shell=bash
# shellcheck disable=SC2154,SC2016    # whoever sources this has set root, here, runner, user and name
# Docker's settings on a host that has an owner: the lab adds its keys to what is there, and takes away its own. Sourced after before.sh.
daemon=$root/etc/docker/daemon.json
lab_daemon=$here/files/etc/docker/daemon.json
added=$before/daemon-added.json      # the keys that are the lab's: what the owner has had already is the owner's
written=$before/daemon-written.json

daemon_now() { if [[ -s $daemon ]]; then cat "$daemon"; else echo '{}'; fi; }

owners_daemon() {
  if [[ -e $added ]]; then daemon_now | jq --slurpfile added "$added" 'with_entries(select((.key as $key | $added[0] | has($key)) and $added[0][.key] == .value | not))'
  else daemon_now | jq .; fi
}

# Empty when the two can live together; changes nothing.
daemon_trouble() {
  daemon_now | jq --exit-status 'type == "object"' >/dev/null 2>&1 || { echo "$daemon is not a JSON object: mend it first"; return; }
  owners_daemon | jq --raw-output --arg file "$daemon" --slurpfile lab "$lab_daemon" '
    . as $there | $lab[0] | to_entries[] | select((.key as $key | $there | has($key)) and $there[.key] != .value)
    | "\($file) says \(.key): \($there[.key] | tojson), and measuring needs \(.value | tojson): take that line out, or change it"'
}

# Its containers go on: the reload switches live-restore on before the restart, which alone takes the parent slice.
restart_docker() {
  [[ -z $root && -d /run/systemd/system ]] || return 0
  if ! systemctl --quiet is-active docker.service; then return 0; fi
  systemctl reload docker.service || true
  systemctl reset-failed docker.service || true
  systemctl restart docker.service
}

write_daemon() {
  local owner merged former
  owner=$(owners_daemon)
  merged=$(jq --slurpfile lab "$lab_daemon" '. + $lab[0]' <<<"$owner")
  jq --null-input --exit-status --argjson merged "$merged" --slurpfile now <(daemon_now) '$now[0] == $merged' >/dev/null && return 0
  keep etc/docker/daemon.json
  install -d "$(dirname "$daemon")"
  jq --argjson owner "$owner" 'with_entries(select(.key as $key | $owner | has($key) | not))' "$lab_daemon" >"$added"
  printf '%s\n' "$merged" >"$written"
  former=$(mktemp)
  daemon_now >"$former"
  if [[ -e $daemon ]]; then cat "$written" >"$daemon"; else rm "$former"; install -m 0644 "$written" "$daemon"; fi
  if ! restart_docker; then
    echo "metal-agent: Docker does not start with this $daemon, so it is as it was: $(tr -s ' \n' ' ' <"$written"): journalctl -u docker" >&2
    if [[ -e $former ]]; then cat "$former" >"$daemon"; else rm -f "$daemon"; fi
    rm -f "$former" "$added" "$written" "$before/root/etc/docker/daemon.json"
    sed -i '\|^etc/docker/daemon.json$|d' "$before/files"
    systemctl reset-failed docker.service || true
    systemctl restart docker.service || echo "metal-agent: nor does it start with the former one" >&2
    exit 1
  fi
  rm -f "$former"
  changed=$((changed + 1))
}

# Before bring_back_files: as it was, byte for byte, unless the owner has changed it since; then only what the lab added goes.
forget_daemon() {
  [[ -e $added ]] || return 1
  if ! cmp -s "$daemon" "$written"; then
    local rest; rest=$(owners_daemon)
    rm -f "$before/root/etc/docker/daemon.json"
    if [[ $rest != '{}' ]]; then
      install -d "$before/root/etc/docker"
      printf '%s\n' "$rest" >"$before/root/etc/docker/daemon.json"
    fi
  fi
}
