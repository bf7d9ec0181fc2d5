import { sample, SECRETS, STACK, type Values, withCluster, withGitHub, withMetal } from '../support/sample';
import type { StackConfig } from './run-program';

const of = (values: Values): StackConfig => ({
  stack: STACK, values: pick(values, key => !(key in SECRETS)), secrets: pick(values, key => key in SECRETS) as Record<string, string>,
});
const pick = (values: Values, wanted: (key: string) => boolean): Values => Object.fromEntries(Object.entries(values).filter(([key]) => wanted(key)));

/** The sample stack file as it is, with its bare-metal agent and the repository's settings switched on, and with its cluster. */
export const STACKS = { default: of(sample()), metal: of({ ...withMetal(), ...withGitHub() }), cluster: of(withCluster()) } as const;
export type StackKind = keyof typeof STACKS;

/** The same stack with some values replaced. */
export const changed = (config: StackConfig, values: Values): StackConfig => ({ ...config, values: { ...config.values, ...values } });
