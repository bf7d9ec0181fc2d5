import { expect, it } from 'vitest';
import { evaluate, fill } from '../flow/expressions.ts';
import { read, type Action, type Workflow } from './files.ts';

const { content } = read<Workflow>('.github/workflows/benchmark-run.yml');
const { word } = (content.on as { workflow_call: { inputs: Record<string, { default: string }> } }).workflow_call.inputs;
const say = (text: unknown, inputs: object): string => fill(String(text), expression => evaluate(expression, { inputs }, { ok: true, cancelled: false }, () => false));

it('the word that a caller chooses reaches the gate, and without one it is ours', () => {
  const step = content.jobs['gate']!.steps!.find(({ id }) => id === 'gate')!;
  const { content: { inputs, runs } } = read<Action>('.github/actions/gate/action.yml');
  const env = runs.steps!.find(({ id }) => id === 'run')!.env!;
  const heard = (asked: string): string => say(env['PERF_LAB_WORD'], { word: say(step.with!['word'], { word: asked }) });
  expect([heard('/perf'), heard(word!.default), inputs!['word']!.default]).toEqual(['/perf', '/benchmark', '']);
});
