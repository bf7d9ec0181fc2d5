# shellcheck shell=bash
# shellcheck disable=SC2154,SC2016    # whoever sources this has set root, here, runner, user and name
# GitHub's list of runners: how the agent's gets into it, and out. Sourced.

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

# GitHub's config.sh refuses root, and takes its token from this variable as well as from an argument, which `ps` would show.
config() {
  local token=$1 as=$user; shift
  id "$as" >/dev/null 2>&1 || as=nobody    # after a removal
  chown -R -- "$as:" "$runner"
  (cd "$runner" && ACTIONS_RUNNER_INPUT_TOKEN=$token runuser -u "$as" -- ./config.sh "$@" </dev/null)
}

token='' address=''
read_token() {    # token and address
  if [[ ! -t 0 ]]; then read -r -t 5 token || true; read -r -t 5 address || true; fi
}

check_token() {
  [[ -z $token || $token =~ ^[A-Z0-9]{20,100}$ ]] || fail 'what came on stdin is not a registration token'
  [[ -z $token || $address =~ ^https://github\.com/[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] || fail 'the second line is not the address of a repository on github.com'
}

register() {
  # Another token than the one that it was registered with says: do it again.
  local known=$root/etc/perf-lab/registered-with hash
  hash=$(printf '%s' "$token" | sha256sum | cut -d ' ' -f 1)
  if [[ -e $runner/.runner ]]; then
    if [[ -z $token || $(cat "$known" 2>/dev/null || true) == "$hash" ]]; then echo 'metal-agent: the runner is registered'; return; fi
    echo 'metal-agent: another token: the runner is registered anew'
    install -d -m 0700 "$runner/.former"
    cp -a "$runner"/.runner "$runner/.former/"
    cp -a "$runner"/.credentials* "$runner/.former/" 2>/dev/null || true
    config '' remove --local
  fi
  [[ -n $token && -n $address ]] || fail 'the runner is not registered: hand over a token and the address of the repository on stdin'
  if ! config "$token" --unattended --url "$address" --name "$name" --labels "perf-lab-$name" --no-default-labels --disableupdate --replace; then
    if [[ -d $runner/.former ]]; then
      cp -a "$runner/.former/." "$runner/"
      rm -rf -- "$runner/.former"
      echo 'metal-agent: the runner is registered as before' >&2
    fi
    fail "GitHub did not take the token: one that registers lives for an hour, and one that removes goes to: sudo bash $here/metal-agent.sh remove $name <FILE"
  fi
  rm -rf -- "$runner/.former"
  printf '%s\n' "$hash" >"$known"
  echo 'metal-agent: registered'
}

# Ends well in any case: what is removed stays removed, and what GitHub still has to be told is said.
deregister() {
  local address
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
    "  or copy the token that this dialog shows, and: sudo bash $here/metal-agent.sh remove $name <FILE-WITH-THE-TOKEN"
}

# The version and the bytes that `versions` names.
fetch_runner() {
  bash "$here/files/usr/local/lib/perf-lab/get-runner" "$here/versions" "$runner" "$user"
}

need_runner() {
  if [[ -x $runner/config.sh || -n $root ]] || fetch_runner; then return 0; fi
  again "there is no GitHub runner in $runner, and fetching it failed (above). The files are installed. What is next, on this host, where github.com answers:" \
    "sudo bash $here/metal-agent.sh runner $name (docs/operations.md, \"A new runner\"), then \`pulumi up\` again, with a fresh metalRunnerToken when the old one is an hour old"
}
