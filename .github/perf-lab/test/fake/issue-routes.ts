import { notFound, ok, paged, route, tooLong, tooManyPages, type Route } from './answers.ts';
import type { Answer } from './server.ts';
import { BOT, NOW, type Issue, type State } from './state.ts';

// The words of 410 and 301: docs.github.com, "Create an issue" and "Get an issue"; the message of 410 as GitHub sends it for such a repository.
const disabled: Answer = { status: 410, json: { message: 'Issues are disabled for this repo', documentation_url: 'https://docs.github.com/v3/issues/' } };
const deleted: Answer = { status: 410, json: { message: 'This issue was deleted' } };
const moved = (to: string): Answer => ({ status: 301, json: { message: 'Moved Permanently', url: to }, headers: { location: to } });
const invalid = (...errors: object[]): Answer => ({ status: 422, json: { message: 'Validation Failed', errors } });
const tooFast: Answer = { status: 403, json: { message: 'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.' }, headers: { 'retry-after': '60' } };

const shown = ({ labels, state_reason, moved: _, deleted: __, ...rest }: Issue): object => ({ ...rest, ...(state_reason === null ? {} : { state_reason }), node_id: `I_${rest.id}`, labels: labels.map(name => ({ name })) });

function titleOrBody(body: { title?: string; body?: string }): Answer | null {
  if (body.title !== undefined && (body.title === '' || body.title.length > 256)) return invalid({ resource: 'Issue', field: 'title', message: 'title is too long (maximum is 256 characters)' });
  return (body.body ?? '').length > 65_536 ? tooLong() : null;
}

function find(s: State, number: string | undefined): Issue | Answer {
  if (!s.hasIssues) return disabled;
  const issue = s.issues.find(one => one.number === Number(number));
  if (issue === undefined) return notFound();
  if (issue.deleted === true) return deleted;
  return issue.moved === undefined ? issue : moved(issue.moved);
}

const isAnswer = (found: Issue | Answer): found is Answer => 'status' in found;

/** Issues, with what GitHub refuses: no issues at all, moved, deleted, too long, too fast, labels that are not there. */
export const issueRoutes: readonly Route[] = [
  route('GET', 'REPO/issues', (s, call) => {
    if (!s.hasIssues) return disabled;
    const state = call.query.get('state') ?? 'open', creator = call.query.get('creator'), label = call.query.get('labels');
    if (Number(call.query.get('page') ?? 1) >= 100 && call.query.get('after') === null) return tooManyPages;
    const there = s.issues.filter(issue => issue.deleted !== true && issue.moved === undefined && (state === 'all' || issue.state === state) && (creator === null || issue.user.login === creator) && (label === null || issue.labels.includes(label)));
    return paged(call, call.query.get('direction') === 'asc' ? there : there.toReversed(), shown);
  }),
  route('POST', 'REPO/issues', (s, { body }) => {
    if (!s.hasIssues) return disabled;
    const wrong = titleOrBody(body);
    if (wrong !== null) return wrong;
    if (s.contentLeft <= 0) {
      s.contentLeft = Infinity;    // the minute is over when it is tried again
      return tooFast;
    }
    s.contentLeft--;
    let labels = (body.labels ?? []) as string[];
    const missing = labels.filter(label => !s.labels.has(label));
    if (missing.length > 0 && s.newLabels === 'refused') return { status: 403, json: { message: 'You do not have permission to create labels on this repository.' } };
    if (s.newLabels === 'dropped') labels = labels.filter(label => s.labels.has(label));
    labels.forEach(label => { s.labels.add(label); });
    const at = new Date(NOW).toISOString(), number = s.issues.length + 11;
    const issue: Issue = { number, id: ++s.lastId, title: body.title, body: body.body ?? '', state: 'open', state_reason: null, labels, user: BOT, locked: false, created_at: at, updated_at: at };
    s.issues.push(issue);
    return ok(shown(issue), 201);
  }),
  route('GET', 'REPO/issues/:n', (s, _, [number]) => {
    const found = find(s, number);
    return isAnswer(found) ? found : ok(shown(found));
  }),
  route('PATCH', 'REPO/issues/:n', (s, { body }, [number]) => {
    const found = find(s, number);
    if (isAnswer(found)) return found;
    const wrong = titleOrBody(body);
    if (wrong !== null) return wrong;
    Object.assign(found, body);    // a locked conversation still takes an edit from who may write
    return ok(shown(found));
  }),
];
