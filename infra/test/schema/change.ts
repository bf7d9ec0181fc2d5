import type { Registration } from '../runtime/recorded';
import { isObject, plainObject } from '../runtime/values';

/** Where a seeded change goes: the type's last part, the resource's name, the path of the property. */
export interface Spot { readonly type: string; readonly name: string; readonly path: readonly (string | number)[] }

/** The same resources with one property changed; `undefined` takes it away. Throws when nothing is there, because then the seed proves nothing. */
export function change(registrations: readonly Registration[], { type, name, path }: Spot, to: (value: unknown) => unknown): Registration[] {
  let found = 0;
  const changed = registrations.map(one => {
    if (!one.type.endsWith(`:${type}`) || one.name !== name) return one;
    found += 1;
    const inputs = structuredClone(plainObject(one.inputs)), parent = path.slice(0, -1).reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], inputs);
    if (!isObject(parent) && !Array.isArray(parent)) throw new Error(`${type} ${name} has no ${path.join('.')}`);
    const last = path.at(-1)!, holder = parent as Record<string | number, unknown>, value = to(holder[last]);
    if (value === undefined) delete holder[last]; else holder[last] = value;
    return { ...one, inputs };
  });
  if (found !== 1) throw new Error(`${found} resources ${type} ${name}`);
  return changed;
}
