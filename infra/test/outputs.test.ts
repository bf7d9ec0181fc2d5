import { expect, it } from 'vitest';
import { deploy } from './support/deploy';
import { withMetal, withCluster, sample } from './support/sample';

it('x', async () => {
  const d = await deploy(sample());
  console.log(JSON.stringify(d.outputs, null, 1), d.resources.map(r => r.type + ' ' + r.name).join('\n'));
  const m = await deploy({ ...withMetal(), ...withCluster() });
  console.log(m.resources.length, JSON.stringify(m.outputs), m.secretOutputs, JSON.stringify(m.resources.filter(r => /command|Managed|Budget/.test(r.type)), null, 1));
  expect(1).toBe(1);
});
