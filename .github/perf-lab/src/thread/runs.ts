import { Run, Runs as RunList, read } from '../github/answers.ts';
import { isRefusedByGitHub, statusOf, type Client } from '../github/client.ts';
import { pages } from '../github/pages.ts';
import type { Workplace } from '../process/environment.ts';
import type { State } from './state.ts';

const MOST_PAGES = 5;

/**
 * The runs of this very workflow. Every workflow of a repository writes as the same user, so a comment with our marker may be of any of them:
 * it is believed when the run that it names is one of this workflow, started by a comment of the person that it names.
 */
export class WorkflowRuns {
  private readonly gh: Client;
  private readonly at: Workplace;
  private readonly known = new Map<number, Promise<Run | null>>();

  constructor(gh: Client, at: Workplace) {
    this.gh = gh;
    this.at = at;
  }

  /** The run behind a comment; null: somebody else wrote the comment, or the run was deleted. */
  async of(state: State): Promise<{ readonly isUnderWay: boolean; readonly attempts: number } | null> {
    const run = await this.get(state.run);
    if (run === null || run.event !== 'issue_comment' || run.actor?.id !== state.requester) return null;
    return run.workflow_id === await this.workflow() ? { isUnderWay: run.status !== 'completed', attempts: run.run_attempt ?? state.attempt } : null;
  }

  /** Ids of those that wait or run, this one among them; null when this token may not look. */
  async underWay(): Promise<ReadonlySet<number> | null> {
    const { owner, repo } = this.at;
    const ids = new Set<number>();
    try {
      let read = 0;
      const list = {
        route: 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs', parameters: { owner, repo, workflow_id: await this.workflow(), event: 'issue_comment' },
        rows: RunList, what: 'the runs of this workflow', mostPages: MOST_PAGES + 1,
      };
      for await (const page of pages(this.gh, list)) {
        for (const run of page) if (run.status !== 'completed') ids.add(run.id);
        if (++read >= MOST_PAGES) break;    // newest first: what is not done among hundreds of later ones never will be
      }
      return ids;
    } catch (error) {
      if (isRefusedByGitHub(statusOf(error))) return null;
      throw error;
    }
  }

  private async workflow(): Promise<number> {
    const own = await this.get(this.at.runId);
    if (own === null) throw new Error(`GitHub does not know the run ${this.at.runId} that this job belongs to; re-run this job`);
    return own.workflow_id;
  }

  private get(id: number): Promise<Run | null> {
    const found = this.known.get(id) ?? this.ask(id);
    this.known.set(id, found);
    return found;
  }

  private async ask(id: number): Promise<Run | null> {
    try {
      const { data } = await this.gh.rest.actions.getWorkflowRun({ owner: this.at.owner, repo: this.at.repo, run_id: id });
      return read(Run, data, `the run ${id}`);
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  }
}
