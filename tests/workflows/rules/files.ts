import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A workflow or an action as YAML says it; every member may be missing or wrong. */
export interface Step { id?: string; name?: string; if?: unknown; uses?: string; run?: string; with?: Record<string, unknown>; env?: Record<string, unknown>; 'continue-on-error'?: unknown }
export interface Job {
  'uses'?: string; 'with'?: Record<string, unknown>; 'secrets'?: unknown; 'needs'?: string | string[]; 'if'?: unknown; 'permissions'?: unknown; 'environment'?: unknown;
  'timeout-minutes'?: unknown; 'runs-on'?: unknown; 'steps'?: Step[]; 'concurrency'?: unknown; 'strategy'?: unknown; 'continue-on-error'?: unknown; 'outputs'?: Record<string, string>; 'env'?: Record<string, unknown>;
}
export interface Workflow { name?: string; on?: unknown; permissions?: unknown; concurrency?: unknown; env?: Record<string, unknown>; jobs: Record<string, Job> }
export interface Action { name?: string; inputs?: Record<string, { required?: boolean; default?: string }>; outputs?: Record<string, { value?: string }>; runs: { using: string; steps?: Step[] } }
export interface File<T> { readonly path: string; readonly text: string; readonly content: T }
export interface Files { readonly workflows: readonly File<Workflow>[]; readonly actions: readonly File<Action>[] }

export const repository = join(import.meta.dirname, '..', '..', '..');

export const read = <T>(path: string): File<T> => {
  const text = readFileSync(join(repository, path), 'utf8');
  return { path, text, content: parse(text) as T };
};

/** A workflow file of any checkout. */
export const load = (folder: string, path: string): Workflow => parse(readFileSync(join(folder, path), 'utf8')) as Workflow;

export function readAll(): Files {
  const workflows = readdirSync(join(repository, '.github/workflows')).filter(name => /\.ya?ml$/.test(name));
  const actions = readdirSync(join(repository, '.github/actions'));
  return { workflows: workflows.map(name => read(`.github/workflows/${name}`)), actions: actions.map(name => read(`.github/actions/${name}/action.yml`)) };
}

/** The same files with one more, or with one replaced: how a seeded mistake gets in. */
export function withWorkflow(files: Files, path: string, text: string): Files {
  return { ...files, workflows: [...files.workflows.filter(file => file.path !== path), { path, text, content: parse(text) as Workflow }] };
}

export interface Place { readonly at: string; readonly step: Step; readonly job?: string; readonly path: string }

/** Every step of every job and of every composite action. */
export function steps(files: Files): Place[] {
  const inJobs = files.workflows.flatMap(file => Object.entries(file.content.jobs).flatMap(([job, { steps = [] }]) =>
    steps.map((step, index) => ({ path: file.path, job, step, at: `${file.path}, job ${job}, step ${index + 1}` }))));
  const inActions = files.actions.flatMap(file => (file.content.runs.steps ?? []).map((step, index) => ({ path: file.path, step, at: `${file.path}, step ${index + 1}` })));
  return [...inJobs, ...inActions];
}

export interface JobPlace { readonly at: string; readonly name: string; readonly job: Job; readonly workflow: Workflow }

export const jobs = (files: Files): JobPlace[] => files.workflows.flatMap(file => Object.entries(file.content.jobs).map(([name, job]) =>
  ({ name, job, workflow: file.content, at: `${file.path}, job ${name}` })));
