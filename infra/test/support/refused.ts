import * as pulumi from '@pulumi/pulumi';
import { program } from '../../src/program';
import { configure } from './deploy';
import { STACK, type Values } from './sample';

/** Runs the program with settings that it must refuse: the problems as people see them. Fails when anything was made before. */
export async function refused(values: Values, { stack = STACK, secrets }: { readonly stack?: string; readonly secrets?: readonly string[] } = {}): Promise<readonly string[]> {
  const made: string[] = [];
  await pulumi.runtime.setMocks({ newResource: ({ type, name }) => { made.push(`${type} ${name}`); return { id: name, state: {} }; }, call: ({ inputs }) => inputs }, 'perf-lab', stack);
  configure(values, secrets);
  try {
    await program();
  } catch (error) {
    if (!(error instanceof pulumi.RunError)) throw error;    // Pulumi shows a RunError without a stack trace
    if (made.length > 0) throw new Error(`made before the refusal: ${made.join()}`);
    return error.message.split('\n  ').slice(1).map(line => line.split('\n')[0] ?? '');
  }
  throw new Error(`accepted, and made ${made.length} resources`);
}
