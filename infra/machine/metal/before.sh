# shellcheck shell=bash
# shellcheck disable=SC2154,SC2016    # whoever sources this has set root, here, runner, user and name
# What stood on the host before the lab, so that `metal-agent.sh remove` brings it back: `files` lists every path that was written, a folder that was made
# ends with /, `root` has what lay there. Sourced; `root` is the host, or a test's folder.
before=${root-}/var/lib/perf-lab/before

# Called before a path is written: the first time it is kept as it is, file or link, and noted.
keep() {
  local path=$1 folder='' rest=$1 made=()
  if grep -qxF -- "$path" "$before/files" 2>/dev/null; then return; fi
  install -d -m 0700 "$before"
  while [[ $rest == */* ]]; do    # each folder on the way; without a process for each, of which there would be a thousand
    folder+=${folder:+/}${rest%%/*} rest=${rest#*/}
    [[ -d $root/$folder ]] || made+=("$folder/")
  done
  if [[ -e $root/$path || -L $root/$path ]]; then
    install -d "$(dirname "$before/root/$path")"
    cp -a -- "$root/$path" "$before/root/$path"
  fi
  printf '%s\n' ${made[@]+"${made[@]}"} "$path" >>"$before/files"
}

# Once, before the first change: what runs, what the kernel is set to, which users are there.
remember() {    # units that will be masked
  local unit key
  [[ ! -e $before/state ]] || return 0
  install -d -m 0700 "$before"
  {
    for unit; do if systemctl --quiet is-active "$unit"; then echo "active $unit"; fi; done
    while read -r key _; do [[ $key != [a-z]* || ! -e /proc/sys/${key//.//} ]] || echo "sysctl $key $(<"/proc/sys/${key//.//}")"; done <"$here/files/etc/sysctl.d/60-perf-lab.conf"
    for key in perf-lab-watch lab-runner; do if id "$key" >/dev/null 2>&1; then echo "user $key"; fi; done
    if [[ $(wc -l </proc/swaps) -gt 1 ]]; then echo 'swap on'; fi
  } >"$before/state.new"
  mv "$before/state.new" "$before/state"
}

bring_back_files() {
  local path
  [[ -e $before/files ]] || return 0
  while IFS= read -r path; do
    if [[ $path == */ ]]; then rmdir --ignore-fail-on-non-empty "$root/$path" 2>/dev/null || true; continue; fi
    rm -f -- "$root/$path"
    if [[ -e $before/root/$path || -L $before/root/$path ]]; then
      install -d "$(dirname "$root/$path")"
      cp -a -- "$before/root/$path" "$root/$path"
    fi
  done < <(tac "$before/files")
}

# After the files: the units are no longer masked.
bring_back_state() {
  local what name value unit
  systemctl daemon-reload
  for unit in system.slice user.slice init.scope; do systemctl set-property --runtime "$unit" AllowedCPUs= || true; done
  nft delete table inet perf-lab 2>/dev/null || true
  [[ -e $before/state ]] || return 0
  while read -r what name value; do
    case $what in
      active) systemctl --quiet start "$name" || echo "metal-agent: $name ran before the lab came and does not start: systemctl status $name" ;;
      sysctl) printf '%s\n' "$value" >"/proc/sys/${name//.//}" || true ;;
      swap) swapon -a || true ;;
    esac
  done <"$before/state"
}

forget_users() {
  local name
  for name in perf-lab-watch lab-runner; do    # only who came with the lab
    if [[ -e $before/state ]] && ! grep -qx "user $name" "$before/state" && id "$name" >/dev/null 2>&1; then
      pkill -KILL -u "$name" || true
      userdel --remove "$name" 2>/dev/null || userdel "$name" || true
    fi
  done
}
