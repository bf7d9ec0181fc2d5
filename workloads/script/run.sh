#!/bin/sh
# Counts the primes below PERF_LAB_PARAM_LIMIT by trial division, again and again, and reports sweeps per second. Plain sh, no
# programs besides: what is measured is the shell. The contract that it fulfils is in ../README.md.
set -eu

limit=${PERF_LAB_PARAM_LIMIT:-300}
unknown=$(set | while IFS== read -r name _; do
  case "$name" in
    PERF_LAB_PARAM_LIMIT) ;;
    PERF_LAB_PARAM_*) printf '%s ' "$name" ;;
  esac
done)
if [ -n "$unknown" ]; then echo "unknown parameters: ${unknown}- known is PERF_LAB_PARAM_LIMIT (limit)." >&2; exit 2; fi
case "$limit" in
  '' | 0* | *[!0-9]* | ???????*) echo "parameter 'limit' is '$limit', which is not a whole number from 10 to 100000." >&2; exit 2 ;;
esac
if [ "$limit" -lt 10 ] || [ "$limit" -gt 100000 ]; then
  echo "parameter 'limit' is '$limit', which is not a whole number from 10 to 100000." >&2; exit 2
fi

# Sets count to the number of primes below $1.
sweep() {
  count=0
  candidate=2
  while [ "$candidate" -lt "$1" ]; do
    divisor=2
    while [ $((divisor * divisor)) -le "$candidate" ] && [ $((candidate % divisor)) -ne 0 ]; do
      divisor=$((divisor + 1))
    done
    if [ $((divisor * divisor)) -gt "$candidate" ]; then count=$((count + 1)); fi
    candidate=$((candidate + 1))
  done
}

# Sets now to hundredths of a second since the machine started: the one monotonic clock that a bare shell can read.
clock() {
  read -r up _ < /proc/uptime
  now=${up%.*}${up#*.}
}

# Sets hundredths from seconds such as 0.5, 1 or 2s.
hundredths_of() {
  value=${1%s}
  whole=${value%%.*}
  case "$value" in *.*) part=${value#*.}00 ;; *) part=00 ;; esac
  part=$(printf '%.2s' "$part")
  hundredths=$((whole * 100 + ${part#0}))
}

# Runs sweeps for $1 hundredths; sets sweeps and elapsed.
repeat() {
  clock; start=$now; sweeps=0
  while :; do
    sweep "$limit"
    sweeps=$((sweeps + 1))
    clock; elapsed=$((now - start))
    [ "$elapsed" -lt "$1" ] || break
  done
}

sweep 100
if [ "$count" -ne 25 ]; then echo "wrong answer: there are 25 primes below 100, not $count." >&2; exit 1; fi

hundredths_of "${PERF_LAB_WARM_UP:-0.2}"; repeat "$hundredths"
hundredths_of "${PERF_LAB_MEASURE:-1}"; repeat "$hundredths"

# Six decimals in whole numbers: shells have no others.
rate=$((sweeps * 100000000 / elapsed))
result=$(printf '{"schema":"perf-lab/result/1","nonce":"%s","measuredSeconds":%d.%02d,"metrics":{"throughput":{"value":%d.%06d,"unit":"sweep/s"}}}' \
  "${PERF_LAB_NONCE:-}" $((elapsed / 100)) $((elapsed % 100)) $((rate / 1000000)) $((rate % 1000000)))
if [ -n "${PERF_LAB_RESULT:-}" ]; then
  printf '%s\n' "$result" > "$PERF_LAB_RESULT"
else
  printf '%s\n' "$result"
fi
