#!/bin/bash
# A stand-in for the listener of GitHub's runner: takes one job after the other out of jobs/, each by a worker of its own, and reports in ended/. What the real
# one does is recorded from actions/runner: JobDispatcher.cs (a worker that dies is a failed job, and the listener goes on).
cd "$(dirname "$0")" || exit
mkdir -p jobs ended
while :; do
  for job in jobs/*; do
    [[ -e $job ]] || continue
    name=${job##*/}; mv "$job" "taken-$name"
    ./Runner.Worker "taken-$name" >"$name.log" 2>&1
    case $? in 100) word=succeeded ;; 102) word=failed ;; *) word=crashed ;; esac
    echo "$word" >"ended/$name"
  done
  sleep 0.2
done
