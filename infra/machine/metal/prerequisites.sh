# shellcheck shell=bash
# shellcheck disable=SC2154,SC2016    # whoever sources this has set root, here, runner, user and name
# What the lab's scripts, GitHub's runner and the self-contained .NET program need on a host. Looked at before anything is changed. Sourced.

# A program, or a library (lib*), and the package of Debian and Ubuntu that has it.
needed=(
  nft:nftables jq:jq curl:curl docker:docker.io tar:tar gzip:gzip find:findutils pgrep:procps pkill:procps sysctl:procps flock:util-linux runuser:util-linux setpriv:util-linux
  useradd:passwd ldconfig:libc-bin sha256sum:coreutils
  libssl.so:openssl libstdc++.so.6:libstdc++6 libgcc_s.so.1:libgcc-s1 libicuuc.so:libicu
)

lacks() {    # program or library
  case $1 in
    lib*) [[ $libraries != *$'\t'"$1"* ]] ;;
    *) ! command -v "$1" >/dev/null ;;
  esac
}

# Its name has a number in it, another one in each release.
icu_package() {
  local name
  name=$(apt-cache pkgnames libicu 2>/dev/null | grep -E '^libicu[0-9]+$' | sort -V | tail -n 1)
  printf '%s' "${name:-libicu-dev}"
}

check_prerequisites() {
  local entry missing=() packages=() wrong=() libraries version line
  [[ -z $root ]] || return 0    # a test's folder is no host
  libraries=$(ldconfig -p 2>/dev/null || true)
  for entry in "${needed[@]}"; do
    lacks "${entry%%:*}" || continue
    missing+=("${entry%%:*}")
    entry=${entry##*:}
    if [[ $entry == libicu ]]; then entry=$(icu_package); fi
    if [[ " ${packages[*]-} " != *" $entry "* ]]; then packages+=("$entry"); fi
  done
  [[ -s /etc/ssl/certs/ca-certificates.crt || -s /etc/pki/tls/certs/ca-bundle.crt ]] || { missing+=('certificates of the web'); packages+=(ca-certificates); }
  [[ $(uname -m) == x86_64 ]] || wrong+=("it is a $(uname -m), and GitHub's runner comes for x86_64")
  if [[ ! -d /run/systemd/system ]]; then wrong+=('systemd does not run it')
  else
    version=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
    ((${version:-0} >= 245)) || wrong+=("its systemd is ${version:-unknown}, and the units need 245 or newer")
    if ! lacks docker && [[ $(systemctl show --property LoadState --value docker.service) != loaded ]]; then wrong+=('its Docker is no docker.service of systemd (a snap, or rootless): install docker.io'); fi
  fi
  if ! lacks jq; then while IFS= read -r line; do wrong+=("$line"); done < <(daemon_trouble); fi
  ((${#missing[@]} + ${#wrong[@]})) || return 0
  {
    echo 'metal-agent: this host is not ready, and nothing was changed:'
    if ((${#wrong[@]})); then printf '  %s\n' "${wrong[@]}"; fi
    if ((${#missing[@]})); then
      line=$(printf ', %s' "${missing[@]}")
      printf '  missing: %s\n  there: sudo apt-get update && sudo apt-get install --yes %s\n' "${line#, }" "${packages[*]}"
    fi
    echo '  then `pulumi up` again'
  } >&2
  exit 1
}
