// What a machine in Azure installs is held against what is called there: a root of Debian's required packages, an init, and what cloud-init.yaml names is made by
// mmdebstrap, and each command of each script, unit and first boot is looked for in it. Played: nothing; where no root can be made it says so.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { debianRoot, whyNotAll } from '../host/root';
import { ROOT } from '../support/sample';
import { callsOf } from './shell-words';

const MACHINE = join(ROOT, 'infra/machine'), FILES = join(MACHINE, 'files'), SYSTEM = join(FILES, 'etc/systemd/system');
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const firstBoot = parse(read(MACHINE, 'cloud-init.yaml')) as { packages: string[]; runcmd: string[][]; write_files: { path: string }[] };

const inBash = (what: string): string[] => spawnSync('bash', ['-c', what], { encoding: 'utf8' }).stdout.trim().split('\n');
const OF_BASH = new Set(inBash('compgen -b; compgen -k'));

/** Who calls it, and the command. */
function calls(): [string, string][] {
  const scripts = readdirSync(join(FILES, 'usr/local/lib/perf-lab')).map(name => `files/usr/local/lib/perf-lab/${name}`);
  const ofScripts = [...scripts, 'install.sh'].flatMap(file => [...callsOf(read(MACHINE, file)).commands].map((name): [string, string] => [file, name]));
  const ofUnits = readdirSync(SYSTEM).flatMap(unit => [...read(SYSTEM, unit).matchAll(/^Exec\w+=[-@:+!]*(\S+)/gm)].map(([, name]): [string, string] => [unit, name!]));
  // What install.sh takes in by `.` defines what it calls; those files go to an agent only, whose host has its own list (metal/prerequisites.sh).
  const taken = new Set(readdirSync(join(MACHINE, 'metal')).flatMap(file => [...callsOf(read(MACHINE, 'metal', file)).functions]));
  const all: [string, string][] = [...ofScripts, ...ofUnits, ...firstBoot.runcmd.map((words): [string, string] => ['cloud-init.yaml', words[0]!])];
  return all.filter(([, name]) => !OF_BASH.has(name) && !taken.has(name));
}

/** What comes onto a machine besides packages: our own files, and GitHub's runner. */
const brought = new Set([...firstBoot.write_files.map(({ path }) => path.replace('/opt/perf-lab/machine/files', '')), '/opt/actions-runner/run.sh']);
const missingIn = (root: string, all: [string, string][]): string[] => all.filter(([, name]) => name.includes('/')
  ? !brought.has(name) && !existsSync(join(root, name))
  : !['usr/bin', 'usr/sbin', 'bin', 'sbin'].some(folder => existsSync(join(root, folder, name)))).map(([file, name]) => `${file}: ${name}`);

describe('the reader of scripts', () => {
  it('finds commands wherever bash looks for one', () => {
    const script = [
      '#!/bin/bash', 'a=1 b "x $(c | d "$(e)") y" \'f\' && g || { h; } # i', 'if ! j; then k; elif l; then m >n; else o 2>&1; fi', 'for p in q r; do s < <(t); done', 'while ((u < 1)); do v; done',
      'case $w in x) y ;; z | z2) aa ;; esac', 'bb() { cc; }', 'bb', 'exec dd --ee', 'ff=(gg "$(hh)")', 'cat <<\'II\'', 'jj', 'II', '[[ $(kk) == ll ]] && mm', 'nn=$(oo) pp', '"$qq/rr" ss', 'printf "it\'s %s" "$(tt)"',
    ].join('\n');
    expect([...callsOf(script).commands].filter(name => !OF_BASH.has(name)).sort())
      .toEqual(['aa', 'b', 'c', 'cat', 'cc', 'd', 'dd', 'e', 'g', 'h', 'hh', 'j', 'k', 'kk', 'l', 'm', 'mm', 'o', 'oo', 'pp', 's', 't', 'tt', 'v', 'y']);
  });

  it('sees what the scripts are known to need', () => {
    const names = calls().map(([, name]) => name);
    for (const known of ['curl', 'jq', 'setpriv', 'systemctl', 'useradd', 'tar', '/usr/sbin/nft', '/usr/local/lib/perf-lab/watch', '/opt/perf-lab/machine/install.sh']) expect(names).toContain(known);
    expect(calls().length).toBeGreaterThan(40);
  });
});

// The ordinary run has a whole request on such a root (tests/workflows/flow/machine.test.ts).
const reason = whyNotAll();
if (reason) console.log(`skipped, what a machine installs against what is called there: ${reason}`);

describe.skipIf(reason)('a_machine_in_Azure', { timeout: 900_000 }, () => {
  // As Debian's images have it: everything of priority "required", and an init; whatever else is called, cloud-init installs.
  const made = (packages: readonly string[], store: string): string => debianRoot({ release: 'trixie', options: ['--variant=required'], packages: ['systemd', 'systemd-sysv', ...packages], store });

  it('has_every_command_that_its_files_call', () => { expect(missingIn(made(firstBoot.packages, 'machine'), calls())).toEqual([]); });

  it('would_be_told_of_one_that_is_in_no_package_of_it', () => {
    const root = made(firstBoot.packages, 'machine'), more = [...callsOf('mmdebstrap --variant=essential bookworm base.tar').commands].map((name): [string, string] => ['a script', name]);
    expect(missingIn(root, more)).toEqual(['a script: mmdebstrap']);
  });

  it('gets_what_the_required_packages_lack_from_cloud_init_alone', () => {
    const lacks = new Set(missingIn(made([], 'machine-bare'), calls()).map(line => line.split(': ')[1]));
    for (const ours of ['/usr/sbin/nft', 'jq', 'curl']) expect([...lacks]).toContain(ours);
  });
});
