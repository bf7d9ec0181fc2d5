import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { decorate, publish } from '../../src/publish.ts';
import { takeRequest, type AtHand } from '../../src/thread/request-at-hand.ts';
import { status } from '../../src/status.ts';
import { gate } from '../../src/gate.ts';
import type { Client } from '../../src/github/client.ts';
import type { FakeGitHub } from '../fake/server.ts';
import { NOW } from '../fake/state.ts';
import { comment, Job, testClient } from './lab.ts';
import { zip, type ZipEntry } from './zip.ts';

/** For a played runner: the folder after `--out`, in which `compare` writes its reports. */
export const FIND_OUT = 'for word; do [ "$before" != --out ] || out=$word; before=$word; done';

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A request on its way through the jobs of one run, each step with the outputs of the earlier ones. */
export class Journey {
  readonly job: Job;
  gh: Client;
  private readonly fake: FakeGitHub;

  private constructor(fake: FakeGitHub, more: Record<string, string>) {
    this.fake = fake;
    this.job = new Job(fake, more);
    this.gh = testClient(fake);
  }

  /** Through the gate, with a plan of `minutes`. */
  static async accepted(fake: FakeGitHub, { text = '/benchmark', minutes = 30, env = {} as Record<string, string> } = {}): Promise<Journey> {
    const journey = new Journey(fake, env);
    const { job } = journey;
    job.write('event.json', JSON.stringify(comment(fake, text)));
    await gate({ env: job.env, gh: journey.gh, now: NOW });
    const { outputs } = job;
    const plan = JSON.stringify({ schema: 'perf-lab/plan/1', plan: { cells: [{}, {}], estimate: { leastSeconds: minutes * 30, mostSeconds: minutes * 60, leastLaunches: 1, mostLaunches: 2 } } });
    Object.assign(job.env, {
      PERF_LAB_REQUEST: outputs['request'], PERF_LAB_PLANNED: 'planned', PERF_LAB_MACHINE: outputs['machine'],
      PERF_LAB_STATUS_COMMENT: outputs['status-comment'], PERF_LAB_CHECK_RUN: outputs['check-run'],
      PERF_LAB_PLAN: job.write('plan.json', plan), PERF_LAB_PLAN_DIGEST: sha256(plan),
    });
    journey.results({});
    return journey;
  }

  results(more: Record<string, string>): this {
    for (const name of ['TOOLS', 'PLAN', 'BUILD_BASE', 'BUILD_HEAD', 'BASES', 'COMPLETE', 'LAB_UP', 'MEASURE']) this.job.env[`PERF_LAB_RESULT_${name}`] = more[name] ?? 'success';
    return this;
  }

  /** What `measure` uploaded. */
  journal(content = '{"kind":"session"}\n', entry: Partial<ZipEntry> = {}): this {
    return this.uploaded('samples', 'SAMPLES', zip([{ name: 'samples.ndjson', data: Buffer.from(content), ...entry }]));
  }

  /** What a build that failed uploaded. */
  buildLog(side: 'base' | 'head', content: string): this {
    return this.uploaded(`build-log-${side}`, `BUILD_${side.toUpperCase()}_LOG`, zip([{ name: 'build.log', data: Buffer.from(content) }]));
  }

  /** An artifact, and what its job said of it through its outputs. */
  uploaded(name: string, variable: string, archive: Buffer, more: object = {}): this {
    this.artifact(name, archive, more);
    Object.assign(this.job.env, { [`PERF_LAB_${variable}_ID`]: String(this.fake.state.lastId), [`PERF_LAB_${variable}_DIGEST`]: sha256(archive) });
    return this;
  }

  /** An artifact that no job says is its own. */

  artifact(name: string, archive: Buffer, more: object = {}): this {
    this.fake.state.artifacts.push({ id: ++this.fake.state.lastId, name, run: 900, zip: archive, ...more });
    return this;
  }

  /** A runner that answers `compare`, which writes the reports, and `report --max-chars` with these, and keeps what it was called with. */
  runner({ comparison = summary({}), report = '**1 regressed**\n', short = report, page = '<!doctype html>\n', code = 0, stderr = '' }: { comparison?: string; report?: string; short?: string; page?: string | null; code?: number; stderr?: string } = {}): this {
    const answer = /^\*\*(.*)\*\*\n/.exec(report)?.[1] ?? /^\*\*(.*)\*\*\n/.exec(short)?.[1];
    if (answer !== undefined) comparison = comparison.replace(`"${NO_CHANGE}"`, JSON.stringify(answer));
    const [compare, markdown, cut, html, error] = [this.job.write('answer.json', comparison), this.job.write('answer.md', report), this.job.write('answer.cut.md', short), this.job.write('answer.html', page ?? ''), this.job.write('answer.err', stderr)];
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" >> '${this.job.path('called')}'\nenv >> '${this.job.path('called-env')}'\ncat '${error}' >&2\n${FIND_OUT}\nif [ "$1" = report ]; then cat '${cut}'; exit; fi\ncp '${compare}' "$out/comparison.json"; cp '${markdown}' "$out/report.md"; ${page === null ? '' : `cp '${html}' "$out/report.html"; `}cat '${compare}'; exit ${code}\n`;
    this.job.env['PERF_LAB_RUNNER'] = this.job.write('runner', script);
    fs.chmodSync(this.job.path('runner'), 0o755);
    return this;
  }

  async status(step: string): Promise<number> { return await status(step, await takeRequest(this.gh, this.job.env, NOW)); }
  async publish(page: number | null = null): Promise<number> {
    const env = { ...this.job.env, ...(page === null ? {} : { PERF_LAB_PAGE_ID: String(page) }) };
    return await publishSteps(await takeRequest(this.gh, env, NOW + 1_800_000));
  }
}

/** The action's steps: the last word, and what may be missing, also after a failure. Between them it keeps the files, which needs GitHub's own service. */
export async function publishSteps(hand: AtHand): Promise<number> {
  try {
    return await publish(hand);
  } finally {
    await decorate(hand);
  }
}

const NO_CHANGE = 'no change found in 1';

export const summary = (counts: Record<string, number>, headline = NO_CHANGE): string => JSON.stringify({
  schema: 'perf-lab/comparison/1', session: 's', plan: null, policy: {}, cells: [], warnings: [], falseFlags: null, headline,
  summary: { regressed: 0, improved: 0, unchanged: 0, undecided: 0, tooNoisy: 0, identicalBuild: 0, failed: 0, unavailable: 0, ...counts },
});
