import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/sample';

const read = (path: string): string => readFileSync(join(ROOT, 'infra/machine/files', path), 'utf8');

it('the engine is told exactly this, so whoever changes a line says it here too', () => {
  expect(JSON.parse(read('etc/docker/daemon.json'))).toEqual({
    'cgroup-parent': 'perf-lab-workload.slice', 'live-restore': true, 'icc': false, 'userland-proxy': false, 'no-new-privileges': true,
    'log-driver': 'local', 'log-opts': { 'max-size': '10m', 'max-file': '1' },
  });
});

it('workloads are in a slice that keeps none of the lab\'s cores', () => {
  const slice = (JSON.parse(read('etc/docker/daemon.json')) as Record<string, string>)['cgroup-parent']!;
  const kept = /^ +for unit in ([^;]+);/m.exec(read('usr/local/lib/perf-lab/quiet'))![1]!.split(' ');
  expect(kept).toEqual(['system.slice', 'user.slice', 'init.scope']);
  // A slice's parents are the parts of its name before each dash (systemd.slice): none of these may be one that is kept, or it would keep the same cores.
  const parents = slice.replace('.slice', '').split('-').map((_, i, parts) => `${parts.slice(0, i + 1).join('-')}.slice`);
  expect(parents.filter(one => kept.includes(one))).toEqual([]);
});
