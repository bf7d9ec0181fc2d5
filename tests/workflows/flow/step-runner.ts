import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { load, type Action, type Job, type Step, type Workflow } from '../rules/files.ts';
import { refuseTooMuch } from '../rules/nested.ts';
import { evaluate, fill, holds, type Context, type Status } from './expressions.ts';

export type Result = 'success' | 'failure' | 'cancelled' | 'skipped';
export interface JobRecord { readonly result: Result; readonly outputs: Readonly<Record<string, string>> }
/** `isWhole`: a composite action, whose own steps are logged before it, and whose time is theirs once more. */
export interface LogLine { readonly job: string; readonly step: string; readonly code: number; readonly output: string; readonly seconds: number; readonly isWhole: boolean }

/** An action of GitHub's own, played by the test. */
export type Stub = (given: { with: Record<string, string>; job: string; workspace: string; permissions: Readonly<Record<string, string>> }) => Promise<{ code?: number; outputs?: Record<string, string> }> | { code?: number; outputs?: Record<string, string> };

/** Where the steps of a job run, when that is not here. */
export interface Machine { bash(script: string, env: Readonly<Record<string, string>>, cwd: string): Promise<{ code: number; output: string }> }

/** A checkout that workflow files come from: what `job.workflow_repository` and its like say. */
export interface Source { readonly folder: string; readonly repository: string; readonly commit: string }

export interface Options {
  /** Where the first workflow file lies; `./` leads there, too. */
  readonly source: Source;
  /** Other repositories, whose workflows are called by owner/name and commit. */
  readonly others?: readonly Source[];
  /** Each job gets a fresh workspace below it, as on a fresh machine. */
  readonly folder: string;
  readonly github: Context;
  readonly eventPath: string;
  readonly stubs: Readonly<Record<string, Stub>>;
  /** Lays a source's files, without their history, into a new folder: what GitHub's runner fetches for `$/` before the first step of a job. */
  readonly archive: (source: Source, target: string) => void;
  /** Actions of ours that a test plays, by the name of their folder; the others run as they are. */
  readonly actions?: Readonly<Record<string, Stub>>;
  /** Environment of every step: PATH, HOME. Nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Is told each step as it ends. */
  readonly told?: (line: LogLine) => void;
  /** The repository's variables. */
  readonly vars?: Context;
  /** Each job's token says what the job may do, and the fake GitHub holds it to that. */
  readonly scopedTokens?: boolean;
  /** The machine of a job; undefined: this one, as a hosted one. */
  readonly machine?: (job: string) => Machine | undefined;
  /** Called before a job; what it returns is the job's end without running it. */
  readonly before?: (job: string) => Result | JobRecord | undefined;
}

/** Runs workflow files as they are: jobs in the order of their needs, reusable workflows, composite actions, real bash. What it does not play, it refuses. */
export class StepRunner {
  readonly log: LogLine[] = [];
  /** Job -> the labels of the machine that it asks for. */
  readonly labels: Record<string, readonly string[]> = {};
  constructor(private readonly options: Options) {}

  async run(path: string, inputs: Context = {}, prefix = '', source = this.options.source): Promise<Record<string, JobRecord>> {
    const workflow = load(source.folder, path);
    if (prefix === '') refuseTooMuch(workflow, source, (uses, from) => { const found = this.find(uses, from); return [load(found.source.folder, found.path), found.source]; });
    const defaults = ((workflow.on as Record<string, { inputs?: Record<string, { default?: unknown }> }>)['workflow_call']?.inputs) ?? {};
    const given = { ...Object.fromEntries(Object.entries(defaults).map(([name, input]) => [name, input.default ?? ''])), ...inputs };
    const done: Record<string, JobRecord> = {};
    const left = new Map(Object.entries(workflow.jobs));
    while (left.size > 0) {
      const next = [...left].find(([, job]) => [job.needs ?? []].flat().every(need => need in done));
      if (next === undefined) throw new Error(`the needs of ${[...left.keys()].join(', ')} are never met`);
      left.delete(next[0]);
      done[next[0]] = await this.job(next[0], prefix + next[0], next[1], { workflow, path, source, inputs: given, done });
    }
    return done;
  }

  private async job(id: string, name: string, job: Job, { workflow, path, source, inputs, done }: Place): Promise<JobRecord> {
    refuseUnknown(name, job, JOB_KEYS);
    const needs = Object.fromEntries([job.needs ?? []].flat().map(need => [need, done[need]!]));
    const results = [...ancestors(id, workflow.jobs)].map(one => done[one]!.result);
    const status: Status = { ok: results.every(result => result === 'success'), cancelled: results.includes('cancelled') };
    const said = { workflow_repository: source.repository, workflow_sha: source.commit, workflow_ref: `${source.repository}/${path}@${source.commit}` };
    const token = `${this.options.github['token'] as string}.${Buffer.from(JSON.stringify(job.permissions ?? {})).toString('base64url')}`;
    const github = this.options.scopedTokens === true ? { ...this.options.github, token } : this.options.github;
    const context = { github, needs, inputs, vars: this.options.vars ?? {}, secrets: {}, runner: { temp: this.options.folder, os: 'Linux' } };
    const one = (at: Context, now: Status) => (expression: string) => evaluate(expression, at, now, () => false);
    if (!holds(job.if, one(context, status))) return { result: 'skipped', outputs: {} };
    if (job.uses === undefined) this.labels[name] = labelsOf(job['runs-on'], one(context, status));
    const end = this.options.before?.(name);
    if (end !== undefined) return typeof end === 'string' ? { result: end, outputs: {} } : end;
    if (job.uses !== undefined) return await this.call(job, name, source, one(context, status));

    mkdirSync(this.workspace);
    const scope = new Scope(name, this.workspace, this.fetch(job, source), { ...context, job: said, env: texts({ ...workflow.env, ...job.env }, one(context, { ok: true, cancelled: false })) }, (job.permissions ?? {}) as Record<string, string>);
    const ok = await this.steps(job.steps ?? [], scope);
    const left = join(this.options.folder, name.replaceAll('/', '.'));
    renameSync(this.workspace, left);
    rmSync(this.fetched, { recursive: true, force: true });
    for (const large of ['tools', 'tools.tar', 'in']) rmSync(join(left, large), { recursive: true, force: true });
    const outputs = texts(job.outputs, one({ ...context, steps: scope.results }, { ok, cancelled: false }));
    // A failed job that may fail has succeeded for whoever needs it; nothing here may rely on either word.
    return { result: ok || job['continue-on-error'] === true ? 'success' : 'failure', outputs };
  }

  /** A reusable workflow: its jobs, then its outputs. */
  private async call(job: Job, name: string, from: Source, one: Parameters<typeof holds>[1]): Promise<JobRecord> {
    const { path, source } = this.find(job.uses!, from);
    const jobs = await this.run(path, texts(job.with, one), `${name}/`, source);
    const { on } = parse(readFileSync(join(source.folder, path), 'utf8')) as { on: { workflow_call: { outputs?: Record<string, { value: string }> } | null } };
    const values = Object.fromEntries(Object.entries(on.workflow_call?.outputs ?? {}).map(([output, { value }]) => [output, value]));
    const results = Object.values(jobs).map(({ result }) => result);
    const result = results.includes('cancelled') ? 'cancelled' : results.includes('failure') ? 'failure' : results.every(end => end === 'skipped') ? 'skipped' : 'success';
    // GitHub leaves `jobs.<id>.result` empty in these outputs, and has it in `toJSON(jobs.<id>)` (actions/runner#2495, #3087).
    const known = (expression: string) => (/\btoJSON\(jobs\b/.test(expression) ? jobs : Object.fromEntries(Object.entries(jobs).map(([job, { outputs }]) => [job, { result: '', outputs }])));
    return { result, outputs: texts(values, expression => evaluate(expression, { jobs: known(expression) }, { ok: true, cancelled: false }, () => false)) };
  }

  /** `./path` of the same repository, or `owner/name/path@commit` of another one. */
  private find(uses: string, from: Source): { path: string; source: Source } {
    if (uses.startsWith('./')) return { path: uses.slice(2), source: from };
    const [, repository, path, commit] = /^([^/]+\/[^/]+)\/(.+)@([0-9a-f]{40})$/.exec(uses) ?? [];
    const source = this.options.others?.find(other => other.repository === repository && other.commit === commit);
    if (source === undefined) throw new Error(`no repository here has the workflow ${uses}`);
    return { path: path!, source };
  }

  private async steps(steps: readonly Step[], scope: Scope): Promise<boolean> {
    let ok = true;
    for (const [index, step] of steps.entries()) {
      refuseUnknown(`${scope.job}, step ${index + 1}`, step, STEP_KEYS);
      const one = (context: Context) => (expression: string) => evaluate(expression, { ...context, steps: scope.results }, { ok, cancelled: false }, file => isThere(scope.workspace, file));
      const id = step.id ?? `_${index + 1}`;
      if (!holds(step.if, one(scope.context))) {
        scope.results[id] = { outcome: 'skipped', conclusion: 'skipped', outputs: {} };
        continue;
      }
      const env = { ...scope.context['env'] as Record<string, string>, ...texts(step.env, one(scope.context)) };
      const started = Date.now();
      const given = texts(step.with, one({ ...scope.context, env }));
      const { code, outputs, output } = step.run !== undefined ? await this.bash(fill(step.run, one({ ...scope.context, env })), env, scope)
        : /^[.$]\//.test(step.uses!) ? await this.own(step.uses!, given, scope)
        : { output: '', ...await this.stub(step.uses!, given, scope) };
      const line = { job: scope.job, step: step.name ?? step.uses ?? id, code, output, seconds: (Date.now() - started) / 1000, isWhole: this.isWhole(step) };
      this.log.push(line);
      this.options.told?.(line);
      const isForgiven = step['continue-on-error'] === true;
      if (step['continue-on-error'] !== undefined && !isForgiven) throw new Error(`${scope.job}, step ${index + 1}: continue-on-error by an expression is not played here`);
      if (code !== 0 && !isForgiven) ok = false;
      scope.results[id] = { outcome: code === 0 ? 'success' : 'failure', conclusion: code === 0 || isForgiven ? 'success' : 'failure', outputs };
    }
    return ok;
  }

  private isWhole({ uses = '' }: Step): boolean { return /^[.$]\//.test(uses) && this.options.actions?.[uses.split('/').at(-1)!] === undefined; }

  private async own(uses: string, given: Record<string, string>, scope: Scope) {
    const play = this.options.actions?.[uses.split('/').at(-1)!];
    return play === undefined ? await this.composite(uses, given, scope) : { code: 0, outputs: {}, output: '', ...await play({ with: given, job: scope.job, workspace: scope.workspace, permissions: scope.permissions }) };
  }

  /** An action by `./` from the job's own workspace: what was checked out or unpacked there, not what this repository holds. One by `$/` from what was fetched. */
  private async composite(uses: string, given: Record<string, string>, scope: Scope) {
    const path = join(uses.startsWith('$/') ? scope.fetched : scope.workspace, uses.slice(2)), file = join(path, 'action.yml');
    if (!existsSync(file)) return { code: 1, output: `Can't find 'action.yml' under ${uses}`, outputs: {} };    // as GitHub's runner says it; a step that runs always() may meet that
    const action = parse(readFileSync(file, 'utf8')) as Action;
    for (const name of Object.keys(given)) if (action.inputs?.[name] === undefined) throw new Error(`${uses} has no input ${name}`);
    for (const [name, input] of Object.entries(action.inputs ?? {})) if (input.required === true && given[name] === undefined) throw new Error(`${uses} needs the input ${name}`);
    const inputs = { ...Object.fromEntries(Object.entries(action.inputs ?? {}).map(([name, input]) => [name, input.default ?? ''])), ...given };
    const inner = new Scope(scope.job, scope.workspace, scope.fetched, { ...scope.context, inputs }, scope.permissions, path);
    const ok = await this.steps(action.runs.steps ?? [], inner);
    const values = Object.fromEntries(Object.entries(action.outputs ?? {}).map(([name, { value }]) => [name, value ?? '']));
    return { code: ok ? 0 : 1, output: '', outputs: texts(values, expression => evaluate(expression, { inputs, steps: inner.results }, { ok, cancelled: false }, () => false)) };
  }

  private async stub(uses: string, given: Record<string, string>, scope: Scope) {
    const play = this.options.stubs[uses.split('@')[0]!];
    if (play === undefined) throw new Error(`nothing plays ${uses}`);
    return { code: 0, outputs: {}, ...await play({ with: given, job: scope.job, workspace: scope.workspace, permissions: scope.permissions }) };
  }

  private async bash(script: string, env: Record<string, string>, { job, workspace, action }: Scope) {
    const folder = mkdtempSync(join(this.options.folder, 'step-'));
    const file = (name: string, text = ''): string => { writeFileSync(join(folder, name), text); return join(folder, name); };
    const github = Object.entries(this.options.github).filter(([key, value]) => typeof value === 'string' && key !== 'token').map(([key, value]) => [`GITHUB_${key.toUpperCase()}`, value as string]);
    const output = file('output');
    const everything = { ...this.options.env, CI: 'true', GITHUB_ACTIONS: 'true', ...Object.fromEntries(github), GITHUB_JOB: job, GITHUB_WORKSPACE: workspace, GITHUB_ACTION_PATH: action, GITHUB_EVENT_PATH: this.options.eventPath,
        GITHUB_OUTPUT: output, GITHUB_ENV: file('env'), GITHUB_PATH: file('path'), GITHUB_STEP_SUMMARY: file('summary'), RUNNER_TEMP: folder, ...env };
    const elsewhere = this.options.machine?.(job);
    if (elsewhere !== undefined) return { ...await elsewhere.bash(script, everything, workspace), outputs: pairs(readFileSync(output, 'utf8')) };
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file('script.sh', script)], { cwd: workspace, env: everything });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => { text += chunk.toString(); });
    child.stderr.on('data', (chunk: Buffer) => { text += chunk.toString(); });
    const code = await new Promise<number>(resolve => child.on('close', end => { resolve(end ?? 1); }));
    return { code, output: text, outputs: pairs(readFileSync(output, 'utf8')) };
  }

  // The same path for every job, as on hosted machines; what a job leaves there is moved away, so that none sees another's files.
  private get workspace(): string { return join(this.options.folder, 'work'); }
  private get fetched(): string { return join(this.options.folder, '_actions'); }

  /** The repository that a job's workflow file comes from, at its commit, as GitHub's runner fetches it when a step names an action of it. */
  private fetch(job: Job, source: Source): string {
    const folder = join(this.fetched, source.repository, source.commit);
    if (job.steps?.some(({ uses }) => uses?.startsWith('$/')) === true) {
      mkdirSync(folder, { recursive: true });
      this.options.archive(source, folder);
    }
    return folder;
  }
}

interface Place { readonly workflow: Workflow; readonly path: string; readonly source: Source; readonly inputs: Context; readonly done: Record<string, JobRecord> }

// What is played, and what changes nothing here. Anything else would be ignored in silence, so it is refused.
const JOB_KEYS = ['name', 'needs', 'if', 'uses', 'with', 'runs-on', 'timeout-minutes', 'permissions', 'environment', 'concurrency', 'outputs', 'env', 'steps', 'continue-on-error'];
const STEP_KEYS = ['id', 'name', 'if', 'uses', 'with', 'run', 'env', 'shell', 'continue-on-error'];

/** All jobs that come before one: GitHub's success() asks them all, not those in `needs` alone (github.com/actions/runner/issues/491). */
function ancestors(id: string, jobs: Workflow['jobs']): Set<string> {
  const parents = [jobs[id]!.needs ?? []].flat();
  return new Set([...parents, ...parents.flatMap(parent => [...ancestors(parent, jobs)])]);
}

function refuseUnknown(at: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find(key => !known.includes(key));
  if (unknown !== undefined) throw new Error(`${at}: ${unknown} is not played here`);
}

class Scope {
  readonly results: Record<string, { outcome: string; conclusion: string; outputs: Record<string, string> }> = {};
  constructor(readonly job: string, readonly workspace: string, readonly fetched: string, readonly context: Context, readonly permissions: Readonly<Record<string, string>>, readonly action = '') {}
}

/** A list, or an expression that gives one. */
function labelsOf(value: unknown, one: Parameters<typeof fill>[1]): string[] {
  if (typeof value !== 'string') return [value ?? []].flat().map(label => fill(String(label), one));
  const data = /^\$\{\{(.*)\}\}$/s.exec(value)?.[1];
  if (data === undefined) return [value];
  const found = one(data.trim());
  return 'values' in found ? [...(found as { values(): Iterable<{ coerceString(): string }> }).values()].map(label => label.coerceString()) : [found.coerceString()];
}

const texts = (values: Readonly<Record<string, unknown>> | undefined, one: Parameters<typeof fill>[1]): Record<string, string> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, fill(String(value), one)]));

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(text.split('\n').filter(line => line !== '').map(line => {
    const at = line.indexOf('=');
    if (at < 1 || line.slice(0, at).includes('<<')) throw new Error(`an output that is not name=value: ${line}`);
    return [line.slice(0, at), line.slice(at + 1)];
  }));
}

/** Whether `hashFiles` finds one: of its patterns, the one with stars in the name of a file. */
function isThere(workspace: string, pattern: string): boolean {
  const folder = join(workspace, dirname(pattern)), [begin = '', ...rest] = basename(pattern).split('*'), end = rest.at(-1);
  if (end === undefined) return existsSync(join(workspace, pattern));
  return existsSync(folder) && readdirSync(folder).some(name => name.length >= begin.length + end.length && name.startsWith(begin) && name.endsWith(end));
}
