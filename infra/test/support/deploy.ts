import * as pulumi from '@pulumi/pulumi';
import { program } from '../../src/program';
import { fakeResource } from './fake-azure';
import { SECRETS, STACK, type Values } from './sample';

/** A resource that the program asked for, with every secret unwrapped. */
export interface Recorded {
  readonly type: string;
  readonly name: string;
  readonly isComponent: boolean;
  readonly inputs: Record<string, any>;
  /** Inputs that were marked as secret, whole. */
  readonly secrets: readonly string[];
}

export interface Deployment {
  readonly resources: readonly Recorded[];
  readonly outputs: Record<string, any>;
  readonly secretOutputs: readonly string[];
}

/** Runs the whole program against a fake that answers as Azure would name things. */
export async function deploy(values: Values, stack = STACK): Promise<Deployment> {
  const resources: Recorded[] = [];
  await pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs, custom }) => {
      const recorded = { type, name, isComponent: !custom, inputs: plain(inputs), secrets: Object.keys(inputs).filter(key => isSecret(inputs[key])) };
      resources.push(recorded);
      return fakeResource(recorded);
    },
    call: ({ inputs }) => inputs,
  }, 'perf-lab', stack);
  configure(values);
  const outputs = await withoutStackTraces(async () => {
    const made = await program();
    await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();    // left out of the SDK's types; without it the assertions come too early
    return made;
  });
  const secretOutputs: string[] = [];
  for (const [key, value] of Object.entries(outputs)) if (await pulumi.isSecret(pulumi.output(value))) secretOutputs.push(key);
  return { resources, outputs: await resolved(outputs), secretOutputs };
}

/** Pulumi keeps a stack trace of every promise that it makes: most of the time of a deployment. */
async function withoutStackTraces<T>(run: () => Promise<T>): Promise<T> {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try { return await run(); } finally { Error.stackTraceLimit = limit; }
}

/** The stack file as Pulumi hands it to a program: text, with JSON where it was more. */
export function configure(values: Values, secrets: readonly string[] = Object.keys(SECRETS)): void {
  const texts = Object.entries(values).map(([key, value]) => [key.includes(':') ? key : `perf-lab:${key}`, typeof value === 'string' ? value : JSON.stringify(value)]);
  pulumi.runtime.setAllConfig(Object.fromEntries(texts), secrets.map(key => `perf-lab:${key}`));
}

function resolved(outputs: object): Promise<Record<string, any>> {
  return new Promise(resolve => { pulumi.output(outputs).apply(value => { resolve(value); return value; }); });
}

// Pulumi's mark of a secret in what goes over the wire.
const SIGNATURE = '4dabf18193072939515e22adb298388d', SECRET = '1b47061264138c4ac30d75fd1eb44270';

function isSecret(value: any): boolean { return value?.[SIGNATURE] === SECRET; }

function plain(value: any): any {
  if (isSecret(value)) return plain(value.value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}
