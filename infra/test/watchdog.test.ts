import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { WATCH } from '../src/config/names';
import { ROLES } from '../src/roles';
import { deploy } from './support/deploy';
import { ROOT, withCluster } from './support/sample';
import { type Answer, WorkflowRun } from './support/workflow-language';

type Definition = Record<string, any>;
const MINUTE = 60_000, HOUR = 60 * MINUTE, START = Date.parse('2026-11-02T00:00:00Z');
let definition: Definition = {};
beforeAll(async () => { definition = (await deploy(withCluster())).resources.find(r => r.type.endsWith(':Workflow'))!.inputs['definition'] as Definition; });

const stamp = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
const lease = (until: number): string => `4711/1/${stamp(until)}`;

/** A cluster in Azure, as far as the watchdog meets it. What somebody does to it happens at its time. */
class FakeCluster {
  now = START;
  power = 'Running';
  tags: Record<string, string> | undefined = {};
  stoppedAt: number | undefined;
  readonly calls: string[] = [];
  readonly faults: ((method: string) => Answer | undefined)[] = [];
  constructor(private readonly events: { readonly at: number; readonly act: (cluster: FakeCluster) => void }[] = []) {}

  readonly call = (method: string, uri: string, authentication: unknown): Answer => {
    this.settle();
    const [, path, rest] = /^https:\/\/management\.azure\.com(\/subscriptions\/[^?]+\/managedClusters\/cluster)(\/stop)?\?api-version=\d{4}-\d\d-\d\d$/.exec(uri) ?? [];
    if (path === undefined) throw new Error(`${method} ${uri}`);
    expect(authentication).toMatchObject({ type: 'ManagedServiceIdentity', identity: expect.stringMatching(/\/userAssignedIdentities\/cluster-watchdog$/) as string, audience: 'https://management.azure.com/' });
    this.calls.push(`${method}${rest ?? ''}`);
    const fault = this.faults.shift()?.(method);
    if (fault) return fault;
    if (method === 'GET') return { status: 200, body: { properties: { powerState: { code: this.power }, provisioningState: 'Succeeded' }, ...(this.tags ? { tags: this.tags } : {}) } };
    // Azure/AKS: a stop of what is stopped is refused.
    if (this.power === 'Stopped') return { status: 400, body: { error: { code: 'BadRequest' } } };
    this.power = 'Stopped';
    this.stoppedAt = this.now;
    return { status: 202 };
  };

  settle(): void { while (this.events[0] && this.events[0].at <= this.now) this.events.shift()!.act(this); }
}

/** As many hours as it takes; Azure starts a round each hour, and the next one not before the last has ended. */
function watch(cluster: FakeCluster, hours: number, of: Definition = definition): FakeCluster {
  const { frequency, interval } = of['triggers'].hourly.recurrence, every = ({ Hour: HOUR, Day: 24 * HOUR }[frequency as string] ?? NaN) * interval;
  for (let round = 0; START + round * every < START + hours * HOUR; round++) {
    cluster.now = Math.max(cluster.now, START + round * every);
    new WorkflowRun(cluster).run(of['actions']);
  }
  return cluster;
}

const held = (until: number, tag = lease(until)): FakeCluster => { const cluster = new FakeCluster(); cluster.tags = { 'perf-lab:lease': tag }; return cluster; };

describe('a cluster that nobody holds is stopped', () => {
  it.each<[string, Record<string, string> | undefined]>([
    ['no tags', undefined], ['no lease', { 'perf-lab:stack': 'dev' }], ['a lease that is over', { 'perf-lab:lease': lease(START - 1000) }], ['a lease of eight hours', { 'perf-lab:lease': lease(START + 9 * HOUR) }],
    ['a lease without an end', { 'perf-lab:lease': '4711/1/' }], ['garbage', { 'perf-lab:lease': '$(reboot)' }], ['garbage that sorts last', { 'perf-lab:lease': 'x/y/zzzz' }], ['an empty lease', { 'perf-lab:lease': '' }],
    ['a lease of year 9999', { 'perf-lab:lease': '4711/1/9999-12-31T23:59:59Z' }],
  ])('with %s', (_, tags) => {
    const cluster = new FakeCluster();
    cluster.tags = tags;
    watch(cluster, 1);
    expect([cluster.power, (cluster.stoppedAt! - START) / MINUTE]).toEqual(['Stopped', 20]);
  });

  it('at any minute of the day, at most 80 minutes after its lease', () => {
    for (let minute = 5; minute <= 420; minute += 5) {
      const cluster = watch(held(START + minute * MINUTE), 10), late = (cluster.stoppedAt! - START) / MINUTE - minute;
      expect([minute, late >= 0, late <= 80]).toEqual([minute, true, true]);
    }
  });

  it.each<[string, Answer]>([['nothing', {}], ['an error', { status: 503 }], ['no right', { status: 403, body: { error: { code: 'AuthorizationFailed' } } }], ['a page', { status: 200, body: '<html>' }], ['an empty body', { status: 200 }]])(
    'in the next round, when Azure answers %s', (_, answer) => {
      const cluster = new FakeCluster();
      cluster.faults.push(() => answer);
      expect(watch(cluster, 2).stoppedAt).toBe(START + HOUR + 20 * MINUTE);
    });

  it('in the next round, when Azure refuses the stop', () => {
    const cluster = new FakeCluster();
    cluster.faults.push(() => undefined, () => undefined, () => ({ status: 409, body: { error: { code: 'OperationNotAllowed' } } }));
    expect(watch(cluster, 2).stoppedAt).toBe(START + HOUR + 20 * MINUTE);
  });
});

describe('a cluster is left alone', () => {
  it('while its lease is live', () => { expect(watch(held(START + 7 * HOUR), 7)).toMatchObject({ power: 'Running', calls: Array(7).fill('GET') }); });
  it('when it is stopped', () => {
    const cluster = new FakeCluster();
    cluster.power = 'Stopped';
    expect(watch(cluster, 3).calls).toEqual(['GET', 'GET', 'GET']);
  });
  it('when its lease could only be written after the start', () => {
    const cluster = new FakeCluster([{ at: START + 10 * MINUTE, act: it => { it.tags = { 'perf-lab:lease': lease(START + 3 * HOUR) }; } }]);
    expect(watch(cluster, 3)).toMatchObject({ power: 'Running' });
  });
  it('when somebody takes it between the two looks', () => {
    const cluster = held(START - HOUR);
    cluster.faults.push(() => { cluster.tags = { 'perf-lab:lease': lease(START + 2 * HOUR) }; return undefined; });
    cluster.tags = {};
    expect(watch(cluster, 2)).toMatchObject({ power: 'Running' });
  });
});

/** Each is one mistake in the definition; the same questions as above must find it. */
describe('a mistake is noticed', () => {
  const complaints = (of: Definition): string[] => {
    const asked: [string, () => boolean][] = [
      ['forgotten', () => watch(new FakeCluster(), 1, of).power === 'Stopped'], ['over', () => watch(held(START + HOUR), 3, of).power === 'Stopped'],
      ['forged', () => watch(held(0, 'x/y/zzzz'), 1, of).power === 'Stopped'], ['held', () => watch(held(START + 6 * HOUR), 5, of).power === 'Running'],
      ['late lease', () => watch(new FakeCluster([{ at: START + 10 * MINUTE, act: it => { it.tags = { 'perf-lab:lease': lease(START + 3 * HOUR) }; } }]), 2, of).power === 'Running'],
    ];
    return asked.filter(([, holds]) => { try { return !holds(); } catch { return true; } }).map(([name]) => name);
  };
  const broken = (change: (of: Definition) => void): Definition => { const copy = structuredClone(definition); change(copy); return copy; };
  const first = (of: Definition): Definition => of['actions'].forgotten, still = (of: Definition): Definition => first(of)['actions'].still;

  it('and none in the definition as it is', () => { expect(complaints(definition)).toEqual([]); });
  it.each<[string, (of: Definition) => void]>([
    ['one look only', of => { first(of)['actions'].still.expression = { equals: [1, 1] }; }],
    ['no wait', of => { first(of)['actions'].wait.inputs.interval.count = 0; }],
    ['no longest lease', of => { for (const one of [first(of), still(of)]) one['expression'].and[1].not.and.pop(); }],
    ['the lease of another name', of => { for (const one of [first(of), still(of)]) one['expression'] = JSON.parse(JSON.stringify(one['expression']).replaceAll('perf-lab:lease', 'perf-lab:leases')) as Definition; }],
    ['the comparison the other way round', of => { const not = still(of)['expression'].and[1].not.and; not[0] = { lessOrEquals: not[0].greater }; }],
    ['a stop of another thing', of => { still(of)['actions'].stop.inputs.uri = still(of)['actions'].stop.inputs.uri.replace('/stop', '/start'); }],
    ['a round a day', of => { of['triggers'].hourly.recurrence.frequency = 'Day'; }],
    ['the second look before the wait', of => { first(of)['actions'].again.runAfter = {}; first(of)['actions'].wait.runAfter = { again: ['Succeeded'] }; still(of)['runAfter'] = { wait: ['Succeeded'] }; }],
  ])('%s', (_, change) => { expect(complaints(broken(change))).not.toEqual([]); });
});

it('it asks for nothing that its role does not give', () => {
  const cluster = watch(new FakeCluster(), 1), needs = new Set(cluster.calls.map(call => `Microsoft.ContainerService/managedClusters/${call === 'GET' ? 'read' : 'stop/action'}`));
  expect([...needs].sort()).toEqual([...ROLES['cluster-watch'].actions].sort());
});

it('the docs promise what it keeps', () => {
  expect(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')).toContain(`a cluster by no more than ${WATCH.everyHours * 60 + WATCH.againAfterMinutes + 5} min while GitHub does not work`);
});

it('it reads leases in the form that the lab writes', () => {
  const source = readFileSync(join(ROOT, 'runner/PerfLab.Lab/Azure/Lease.cs'), 'utf8');
  expect(source).toContain(`TimeFormat = "yyyy-MM-dd'T'HH:mm:ss'Z'"`);
  expect(source).toContain('Longest = TimeSpan.FromHours(7)');
  expect(source).toContain('$"{Holder}/{TimeText(Expiry)}"');
});
