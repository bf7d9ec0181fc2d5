import { notFound, ok, paged, route, tooLong, wrapped, type Route } from './answers.ts';
import { gitRoutes, shownCommit, statusBetween } from './git-routes.ts';
import { issueRoutes } from './issue-routes.ts';
import type { Answer } from './server.ts';
import { BOT, NOW, type Comment, type State } from './state.ts';

/** GitHub's own limits come with the routes: page size 100, 65,536 characters, one name per runner. */
export const ROUTES: readonly Route[] = [
  route('GET', 'REPO/pulls/:n', (s, _, [n]) => { const pull = s.pulls.get(Number(n)); return pull ? ok(pull) : notFound(); }),
  route('GET', 'REPO/issues/comments/:n', (s, _, [id]) => { const found = comment(s, id); return found ? ok(shown(found)) : notFound(); }),
  route('PATCH', 'REPO/issues/comments/:n', (s, { body }, [id]) => {
    const found = comment(s, id);
    if (!found) return notFound();
    if (body.body.length > 65_536) return tooLong();
    found.body = body.body;
    return ok(shown(found));
  }),
  route('DELETE', 'REPO/issues/comments/:n', (s, _, [id]) => {
    if (!comment(s, id)) return notFound();
    s.comments = s.comments.filter(c => c.id !== Number(id));
    return { status: 204 };
  }),
  route('POST', 'REPO/issues/comments/:n/reactions', (s, { body }, [id]) => {
    if (!comment(s, id)) return notFound();
    const there = s.reactions.find(r => r.comment === Number(id) && r.content === body.content);
    if (!there) s.reactions.push({ comment: Number(id), content: body.content, user: BOT.id });
    return ok({ id: ++s.lastId, content: body.content }, there ? 200 : 201);
  }),
  route('GET', 'REPO/issues/comments', (s, call) => paged(call, s.comments.filter(c => c.updated_at >= call.query.get('since')!).toReversed(), shown)),
  route('GET', 'REPO/issues/:n/comments', (s, call, [n]) => paged(call, s.comments.filter(c => c.issue === Number(n)), shown)),
  route('POST', 'REPO/issues/:n/comments', (s, { body }, [n]) => {
    if (s.pulls.get(Number(n))?.locked) return { status: 403, json: { message: 'Unable to create comment because issue is locked.' } };
    if (body.body.length > 65_536) return tooLong();
    const at = new Date(NOW).toISOString();
    const id = ++s.lastId;
    const added: Comment = { id, node_id: `IC_${id}`, issue: Number(n), body: body.body, user: BOT, created_at: at, updated_at: at };
    s.comments.push(added);
    return ok(shown(added), 201);
  }),
  route('GET', 'REPO/issues/:n/events', (s, call, [n]) => paged(call, s.events.filter(e => e.issue === Number(n)))),
  route('GET', 'REPO/collaborators/:w/permission', (s, _, [login]) => {
    const user = s.users.find(u => u.login === login);
    const permission = s.permissions.get(login!);
    return user && permission ? ok({ permission, role_name: permission, user }) : notFound();
  }),
  // docs.github.com, "List repository activities": the newest first; `ref` is a full name.
  route('GET', 'REPO/activity', (s, { query }) => ok(s.activity.filter(({ ref }) => ref === query.get('ref')).toReversed().slice(0, Number(query.get('per_page') ?? 30))
    .map((push, index) => ({ id: 9000 + index, node_id: `PSH_${index}`, before: '0'.repeat(40), activity_type: 'push', actor: null, ...push })))),
  route('GET', 'REPO/compare/:w', (s, _, [range]) => {
    const between = statusBetween(s, decodeURIComponent(range!));
    if (between !== null) return ok(between);
    const base = s.mergeBases.get(decodeURIComponent(range!));
    return base ? ok({ merge_base_commit: { sha: base }, files: s.files }) : notFound('No common ancestor');
  }),
  route('GET', 'REPO/commits/:w/check-runs', (s, _, [ref]) => { const found = s.checks.filter(c => c.head_sha === ref); return ok({ total_count: found.length, check_runs: found }); }),
  route('GET', 'REPO/commits/:w', (s, _, [ref]) => {
    const known = shownCommit(s, ref!);
    if (known !== null) return ok(known);
    const told = s.commits.get(ref!);
    const sha = told !== undefined ? told : [...s.pulls.values()].map(p => p.head.sha).find(sha => sha.startsWith(ref!));
    return sha ? ok({ sha }) : { status: 422, json: { message: `No commit found for SHA: ${ref}` } };
  }),
  route('POST', 'REPO/check-runs', (s, { body }) => { const check = { id: ++s.lastId, ...body }; s.checks.push(check); return ok(check, 201); }),
  route('GET', 'REPO/check-runs/:n', (s, _, [id]) => { const check = s.checks.find(c => c.id === Number(id)); return check ? ok({ ...check, output: { title: null, summary: null, ...check.output } }) : notFound(); }),
  route('PATCH', 'REPO/check-runs/:n', (s, { body }, [id]) => { const check = s.checks.find(c => c.id === Number(id)); return check ? ok(Object.assign(check, body)) : notFound(); }),
  route('GET', 'REPO/actions/runs/:n', (s, _, [id]) => { const run = s.runs.find(r => r.id === Number(id)); return run ? ok(shownRun(run)) : notFound(); }),
  route('POST', 'REPO/actions/runs/:n/cancel', (s, _, [id]) => {
    const run = s.runs.find(r => r.id === Number(id));
    if (!run) return notFound();
    if (run.status === 'completed') return { status: 409, json: { message: 'Cannot cancel a workflow run that is completed.' } };
    run.cancelled = true;
    return ok({}, 202);
  }),
  route('GET', 'REPO/actions/workflows/:n/runs', (s, call, [id]) => wrapped(call, 'workflow_runs', s.runs.filter(r => r.workflow_id === Number(id)).toReversed().map(shownRun))),
  route('GET', 'REPO/actions/runs/:n/attempts/:n/jobs', (s, call, [run]) => wrapped(call, 'jobs', s.jobs.filter(job => job.run === Number(run)).map(({ run: id, ...job }, index) => ({ id: index + 1, run_id: id, ...job })))),
  route('GET', 'REPO/actions/artifacts/:n', (s, _, [id]) => { const found = s.artifacts.find(a => a.id === Number(id)); return found ? ok(artifact(found)) : notFound(); }),
  route('GET', 'REPO/actions/artifacts/:n/zip', (_, call, [id]) => ({ status: 302, headers: { location: `${call.storage}/blob/${id}?sig=secret` } })),
  route('GET', 'REPO/actions/runners', (s, call) => wrapped(call, 'runners', s.runners.map(runner))),
  route('GET', 'REPO/actions/runners/:n', (s, _, [id]) => {
    const found = s.runners.find(r => r.id === Number(id));
    if (!found) return notFound();
    if (++found.polls >= s.pollsUntilOnline) found.status = 'online';
    return ok(runner(found));
  }),
  route('DELETE', 'REPO/actions/runners/:n', (s, _, [id]) => {
    const found = s.runners.find(r => r.id === Number(id));
    if (!found) return notFound();
    if (found.busy) return { status: 422, json: { message: 'Runner is currently running a job and cannot be deleted.' } };
    s.runners = s.runners.filter(r => r !== found);
    return { status: 204 };
  }),
  route('POST', 'REPO/actions/runners/generate-jitconfig', (s, { body }) => {
    if (body.runner_group_id === undefined) return { status: 422, json: { message: 'runner_group_id is missing' } };
    if (s.runners.some(r => r.name === body.name)) return { status: 409, json: { message: 'Already exists' } };
    const added = { id: ++s.lastId, name: body.name, status: 'offline' as const, busy: false, labels: body.labels, polls: 0 };
    s.runners.push(added);
    const blob = Buffer.from(JSON.stringify({ '.runner': 'x', '.credentials': 'y' })).toString('base64');
    return ok({ runner: runner(added), encoded_jit_config: blob }, 201);
  }),
  route('GET', '/users/:w', (s, _, [login]) => { const user = s.users.find(u => u.login === decodeURIComponent(login!)); return user ? ok(user) : notFound(); }),
  route('POST', '/app/installations/:n/access_tokens', s => ok({ token: `ghs_installation${++s.tokens}`, expires_at: new Date(Date.now() + 36e5).toISOString(), permissions: { administration: 'write' }, repository_selection: 'selected' }, 201)),
  route('POST', '/graphql', (s, { body }) => graphql(s, body)),
  route('GET', 'REPO', () => ok({ id: 500, name: 'library', full_name: 'example/library', default_branch: 'main' })),
  route('GET', 'REPO/actions/workflows/trend.yml', s => (s.trendWorkflow === null ? notFound() : ok({ id: 4, name: 'trend', path: '.github/workflows/trend.yml', state: s.trendWorkflow.state, created_at: s.trendWorkflow.created_at }))),
  route('GET', 'REPO/actions/workflows/trend.yml/runs', (s, call) => {
    if (s.trendWorkflow === null) return notFound();
    return wrapped(call, 'workflow_runs', s.trendWorkflow.successes.toReversed().map((created_at, index) => ({ id: 5000 + index, workflow_id: 4, event: 'schedule', status: 'completed', conclusion: 'success', created_at })));
  }),
  ...issueRoutes,
  ...gitRoutes,
];

const comment = (s: State, id: string | undefined): Comment | undefined => s.comments.find(c => c.id === Number(id));
const shown = ({ issue, minimised: _, ...rest }: Comment): object => ({ ...rest, issue_url: `https://api.github.com/repos/example/library/issues/${issue}` });
/** Without our own note that somebody asked for its end. */
const shownRun = ({ cancelled: _, ...rest }: State['runs'][number]): object => rest;
const runner = ({ polls: _, labels, ...rest }: State['runners'][number]): object => ({ ...rest, os: 'linux', labels: labels.map(name => ({ name })) });
const artifact = (a: State['artifacts'][number]): object => ({
  id: a.id, name: a.name, size_in_bytes: a.size ?? a.zip.length, expired: a.expired ?? false, digest: a.digest ?? null, workflow_run: { id: a.run },
});

// The two things that only GraphQL can do: ask whether a comment is minimised, and minimise.
function graphql(s: State, { query, variables }: { query: string; variables: Record<string, string> }): Answer {
  const data: Record<string, unknown> = {};
  for (const [, alias, name] of query.matchAll(/(\w+): minimizeComment\(input: \{ subjectId: \$(\w+)/g)) {
    const found = s.comments.find(c => c.node_id === variables[name!]);
    if (!found) return ok({ data: null, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve to a node' }] });
    found.minimised = true;
    data[alias!] = { minimizedComment: { isMinimized: true } };
  }
  if (/\bnode\(/.test(query)) {
    const found = s.comments.find(c => c.node_id === variables['id']);
    data['node'] = { isMinimized: found?.minimised ?? false, ...(found !== undefined && /\bbody\b/.test(query) ? { body: found.body } : {}) };
  }
  return ok({ data });
}
