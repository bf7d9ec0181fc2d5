import type { Recorded } from '../support/deploy';

export type Inputs = Record<string, any>;
type Resource = Pick<Recorded, 'type' | 'name' | 'inputs' | 'secrets'>;

/** What must hold for every stack, and mistakes that it has to find. */
export interface Rule {
  readonly name: string;
  /** Every place where it does not hold. */
  readonly check: (all: readonly Resource[]) => readonly string[];
  /** Each makes one mistake in a stack where the rule held. */
  readonly mistakes: readonly ((all: Resource[]) => void)[];
}

/** One sentence about every resource whose type matches; each mistake is made in the first of them. */
export function each(name: string, type: RegExp, holds: (inputs: Inputs, all: readonly Resource[]) => unknown, ...mistakes: ((inputs: Inputs) => void)[]): Rule {
  return {
    name,
    check: all => all.filter(r => type.test(r.type) && !holds(r.inputs, all)).map(r => `${r.type} ${r.name}`),
    mistakes: mistakes.map(mistake => all => { mistake(first(all, type).inputs); }),
  };
}

export function first(all: readonly Resource[], type: RegExp): Resource {
  const found = all.find(r => type.test(r.type));
  if (!found) throw new Error(`the stack has no ${type}`);
  return found;
}

/** Inputs of every resource of a type, given without `azure-native:`. */
export function of(all: readonly Resource[], type: string): Inputs[] {
  return all.filter(r => r.type === `azure-native:${type}`).map(r => r.inputs);
}
