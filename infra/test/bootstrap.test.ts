import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROLES } from '../src/roles';
import { run } from './runtime/runs';
import { ROOT } from './support/sample';

const script = readFileSync(join(ROOT, 'infra/bootstrap'), 'utf8');
const unique = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** Registered in every subscription (Microsoft: Azure resource providers and types, "Registered by default"). */
const ALWAYS = ['authorization', 'resources'];

it('registers every provider that the program, the lab\'s roles or the place of the state need, and no other', async () => {
  const made = (await Promise.all((['default', 'cluster'] as const).map(kind => run(kind)))).flatMap(({ registrations }) => registrations.map(one => /^azure-native:(\w+):/.exec(one.type)?.[1] ?? []).flat());
  const asked = Object.values(ROLES).flatMap(role => [...role.actions, ...'dataActions' in role ? role.dataActions : []]).map(action => /^Microsoft\.(\w+)\//.exec(action)![1]!);
  const state = [...script.matchAll(/\baz (storage|keyvault) \w+ create\b|\baz (storage|keyvault) create\b/g)].map(([, one, other]) => (one ?? other)!);
  const registered = /^providers=\(([^)]*)\)/m.exec(script)![1]!.trim().split(/\s+/);

  expect(unique(state)).toEqual(['keyvault', 'storage']);
  expect(unique(registered.map(name => name.replace('Microsoft.', '').toLowerCase()))).toEqual(
    unique([...made, ...asked, ...state].map(name => name.toLowerCase()).filter(name => !ALWAYS.includes(name))));
});
