import { beforeAll, describe, expect, it } from 'vitest';
import { CLUSTER_RULES } from './rules/cluster';
import { MACHINE_RULES } from './rules/machines';
import { METAL_RULES } from './rules/metal';
import { NETWORK_RULES } from './rules/network';
import { REPOSITORY_RULES } from './rules/repository';
import { RIGHTS_RULES } from './rules/rights';
import { deploy, type Recorded } from './support/deploy';
import { everything, sample, withCluster, withMetal } from './support/sample';

const RULES = [...NETWORK_RULES, ...MACHINE_RULES, ...RIGHTS_RULES, ...METAL_RULES, ...CLUSTER_RULES, ...REPOSITORY_RULES];
const STACKS = { sample, withMetal, withCluster, everything };
const stacks = new Map<string, readonly Recorded[]>();

beforeAll(async () => {
  for (const [name, values] of Object.entries(STACKS)) stacks.set(name, (await deploy(values())).resources);
});

for (const stack of Object.keys(STACKS)) {
  describe(`in the stack ${stack}`, () => {
    for (const { name, check } of RULES) it(name, () => { expect(check(stacks.get(stack) ?? [])).toEqual([]); });
  });
}

describe('a mistake is found by', () => {
  for (const { name, check, mistakes } of RULES) {
    it(name, () => {
      expect(mistakes).not.toEqual([]);
      for (const mistake of mistakes) {
        const all = JSON.parse(JSON.stringify(stacks.get('everything'))) as Recorded[];
        mistake(all);
        expect(check(all), mistake.toString()).not.toEqual([]);
      }
    });
  }
});
