import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../support/sample';
import type { Row } from './tables';

interface Step { readonly uses?: string }
interface Job { readonly 'uses'?: string; readonly 'runs-on'?: unknown; readonly 'environment'?: string; readonly 'permissions'?: Readonly<Record<string, string>>; readonly 'steps'?: readonly Step[] }
export interface Workflow { readonly on: unknown; readonly permissions?: unknown; readonly env?: unknown; readonly jobs: Readonly<Record<string, Job>> }
export type Workflows = Readonly<Record<string, Workflow>>;

export const workflows = (): Workflows => Object.fromEntries(readdirSync(join(ROOT, '.github/workflows')).map(file =>
  [file.replace(/\.ya?ml$/, ''), parse(readFileSync(join(ROOT, '.github/workflows', file), 'utf8')) as Workflow]));

/** What the workflow files themselves say about each of their jobs, in the words of docs/internals/security-tables.md. */
export const jobRows = (all: Workflows): Row[] => Object.entries(all).flatMap(([workflow, content]) => Object.entries(content.jobs).map(([name, job]) => ({
  'workflow': workflow, 'job': name, 'machine': machine(job), 'environment': job.environment ?? '–',
  'permissions': permissions(job, content), 'Azure identity': identities(job, content), 'code of the pull request': code(job, content),
})));

function machine(job: Job): string {
  if (job.uses) return `calls ${job.uses.replace(/^.*\/|\.ya?ml$/g, '')}`;
  // An image by the gate's word, which rules.ts holds: GitHub's own.
  return /^(ubuntu|windows|macos)-|^\$\{\{ inputs\.runs-on \}\}$/.test(String(job['runs-on'])) ? 'hosted' : 'the lab\'s';
}

function permissions(job: Job, { permissions: atTop }: Workflow): string {
  const own = job.permissions ?? atTop;
  if (typeof own !== 'object' || own === null) return String(own ?? 'the repository\'s default');
  return Object.entries(own).map(([what, right]) => `${what}: ${String(right)}`).sort().join(', ') || 'none';
}

/** A job is what it logs in as; the logins are in the actions that it uses. */
function identities(job: Job, workflow: Workflow): string {
  const actions = (job.steps ?? []).flatMap(({ uses = '' }) => /^[$.]\//.test(uses) ? [readFileSync(join(ROOT, '.github/actions', uses.replace(/^.*\/actions\//, ''), 'action.yml'), 'utf8')] : []);
  const text = [JSON.stringify(job), ...(job.steps ? [JSON.stringify(workflow.env ?? {})] : []), ...actions].join('\n');
  const found = [['lab-power', 'client-id: "${{ steps.lab.outputs.power'], ['lab-sign', 'client-id: "${{ steps.lab.outputs.sign'], ['lab-provision', 'PERF_LAB_PROVISION_CLIENT_ID']].filter(([, mark]) => text.includes(mark!));
  return found.map(([name]) => name).join(', ') || '–';
}

function code({ steps = [] }: Job, { on }: Workflow): string {
  const uses = (action: string): boolean => steps.some(step => step.uses?.endsWith(`/actions/${action}`));
  if (uses('measure')) return 'runs it, sealed';
  const isStarted = typeof on === 'object' && on !== null && 'pull_request' in on;
  return uses('build') || (isStarted && steps.length > 0) ? 'runs it, with a network' : 'no';
}
