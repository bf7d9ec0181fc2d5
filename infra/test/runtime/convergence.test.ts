import { beforeAll, describe, expect, it, vi } from 'vitest';
import { byUrn, changes, type Recorded } from './recorded';
import { runProgram } from './run-program';
import { changed, STACKS } from './stacks';

const MACHINES = [{ name: 'first' }, { name: 'second', size: 'Standard_D8s_v5' }];
const TWO = changed(STACKS.default, { machines: MACHINES });
const OF_A_MACHINE = ['VirtualMachineScaleSet', 'RoleAssignment', 'Machine'];
const kinds = (short: readonly string[]): string[] => short.map(one => one.split(' ')[0]!.split(':').at(-1)!).sort();
const after = async (values: Readonly<Record<string, unknown>>) => changes(before, await runProgram(changed(TWO, values)));

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
let before: Recorded;
beforeAll(async () => { before = await runProgram(TWO); });

// Fault 31: interrupted, run twice, changed by hand. What an engine does follows from what the program asks for.
describe('run again', () => {
  // The same order again is program.test.ts's, for every stack.
  it('with the machines in another order, nothing is to do', async () => {
    expect(await after({ machines: [...MACHINES].reverse() })).toEqual({ made: [], changed: [], gone: [] });
  });

  it('with one machine less, exactly its parts go', async () => {
    const { made, changed, gone } = await after({ machines: MACHINES.slice(0, 1) });
    expect(made).toEqual([]);
    expect(kinds(changed)).toEqual(['PolicyAssignment']);    // its size is nobody's any more
    expect(gone.every(one => one.includes('second'))).toBe(true);
    expect(kinds(gone)).toEqual([...OF_A_MACHINE].sort());
  });

  it('with one machine more, exactly its parts come', async () => {
    const { made, changed, gone } = await after({ machines: [...MACHINES, { name: 'third' }] });
    expect({ changed, gone }).toEqual({ changed: [], gone: [] });
    expect(kinds(made)).toEqual([...OF_A_MACHINE].sort());
  });

  it('with a machine renamed, one goes and one comes, and nothing else is touched', async () => {
    const { made, changed, gone } = await after({ machines: [MACHINES[0], { ...MACHINES[1], name: 'other' }] });
    expect(changed).toEqual([]);
    expect([kinds(made), kinds(gone)]).toEqual([[...OF_A_MACHINE].sort(), [...OF_A_MACHINE].sort()]);
  });

  it('with another time for the daily shutdown, nothing of Azure changes: it is made for each machine', async () => {
    expect(await after({ shutdown: { time: '0200', timeZone: 'UTC' } })).toEqual({ made: [], changed: [], gone: [] });
  });

  it('after an interruption, what was made is asked for again unchanged', async () => {
    const interrupted = await runProgram(TWO, { killAt: 'VirtualMachineScaleSet::first' }), whole = byUrn(before);
    expect(interrupted.exitCode).not.toBe(0);
    expect(interrupted.registrations.length).toBeGreaterThan(20);
    expect(interrupted.registrations.length).toBeLessThan(whole.size);
    for (const one of interrupted.registrations) expect(whole.get(one.urn)).toEqual(one);
  });
});
