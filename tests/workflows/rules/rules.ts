import { uncheckedDownloads } from './downloads.ts';
import { jobs, steps, type Files, type JobPlace } from './files.ts';

/** A rule for the workflow files: what it forbids, and where it is broken. */
export interface Rule { readonly name: string; readonly why: string; readonly broken: (files: Files) => string[] }

const rule = (name: string, why: string, broken: (files: Files) => string[]): Rule => ({ name, why, broken });

/** The release tags and their commits that were looked up; an action that is not here is one too many. */
export const PINNED: Readonly<Record<string, readonly [tag: string, commit: string]>> = {
  'actions/checkout': ['v7.0.1', '3d3c42e5aac5ba805825da76410c181273ba90b1'],
  'actions/setup-dotnet': ['v6.0.0', 'a98b56852c35b8e3190ac28c8c2271da59106c68'],
  'actions/setup-node': ['v6.5.0', '249970729cb0ef3589644e2896645e5dc5ba9c38'],
  'actions/upload-artifact': ['v7.0.0', 'bbbca2ddaa5d8feaa63e36b76fdaad77386f024f'],
  'actions/download-artifact': ['v8.0.1', '3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c'],
  'actions/upload-pages-artifact': ['v5.0.0', 'fc324d3547104276b827a68afc52ff2a11cc49c9'],
  'actions/deploy-pages': ['v5.0.0', 'cd2ce8fcbc39b97be8ca5fce6e763baed58fa128'],
  'actions/attest': ['v4.2.2', '1e69f48acb82d1966a394da916b4c1698aa569d6'],
  'azure/login': ['v3.0.1', 'f5d393ae46f8fde4be8b75f32e3fc50e654ad0ca'],
  'pulumi/actions': ['v7.0.0', '8e5e406f4007fca908480587cb9893c07090f58d'],
};

const isLocal = (uses: string): boolean => /^[.$]\//.test(uses);
const permissionsOf = ({ job, workflow }: JobPlace): Record<string, string> => (job.permissions ?? workflow.permissions ?? {}) as Record<string, string>;
const mayWrite = (place: JobPlace): boolean => Object.values(permissionsOf(place)).includes('write') || place.job.environment !== undefined;
const isSelfHosted = ({ job }: JobPlace): boolean => job['runs-on'] !== undefined && !/^(ubuntu|windows|macos)-/.test(String(job['runs-on']));
const isCall = ({ job }: JobPlace): boolean => job.uses !== undefined;
const texts = (value: unknown): string[] => typeof value === 'string' ? [value] : value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
const GIVEN = '${{ inputs.kind == \'hosted\' && inputs.runs-on || inputs.label }}';
const IMAGES = ['${{ inputs.runs-on }}', ...['gate', 'start'].map(job => `\${{ needs.${job}.outputs.machine-runs-on }}`)];
/** The project's own tests, and what an owner starts by hand behind reviewers. */
const INSTALLING = ['.github/workflows/ci.yml', '.github/workflows/lab-setup.yml'];
const RELEASE = '.github/workflows/release.yml';
const placesOf = (places: readonly { at: string }[]): string[] => places.map(place => place.at);
const named = (files: Files, name: string): JobPlace[] => jobs(files).filter(place => place.name === name);

/** Whether every call of a workflow that only starts a machine is followed, whatever happens, by a call of one that gives it back. */
function isGivenBack(files: Files, path: string): boolean {
  const calls = jobs(files).filter(({ job }) => job.uses?.endsWith(`/${path.split('/').at(-1)}`));
  const givesBack = (uses: string | undefined): boolean => files.workflows.some(file => uses?.endsWith(`/${file.path.split('/').at(-1)}`) && file.content.jobs['lab-down'] !== undefined);
  return calls.length > 0 && calls.every(({ name, workflow }) => Object.values(workflow.jobs).some(job =>
    [job.needs ?? []].flat().includes(name) && /^always\(\)/.test(String(job.if ?? '')) && givesBack(job.uses)));
}

export const RULES: readonly Rule[] = [
  rule('actions are pinned to a known commit, with its tag beside it', 'a tag can be moved to other code', files => {
    const uses = [...files.workflows, ...files.actions].flatMap(file => [...file.text.matchAll(/^[ -]*uses: *(\S+)(?: +# *(\S+))?.*$/gm)]
      .map(([, what = '', tag]) => ({ at: `${file.path}: ${what}`, what, tag })));
    return placesOf(uses.filter(({ what, tag }) => {
      const [action = '', commit] = what.split('@');
      return !isLocal(what) && (PINNED[action]?.[1] !== commit || PINNED[action]?.[0] !== tag);
    }));
  }),
  rule('every workflow starts from no permission', 'the default token may be allowed to write', files =>
    files.workflows.filter(file => JSON.stringify(file.content.permissions) !== '{}').map(file => file.path)),
  rule('every job says its permissions, one by one', 'write-all and read-all grow with every feature of GitHub', files =>
    placesOf(jobs(files).filter(({ job }) => typeof job.permissions !== 'object' || job.permissions === null))),
  rule('no text of the event, of an input or of an output inside run', 'it would be part of the script', files =>
    placesOf(steps(files).filter(({ step }) => /\$\{\{/.test(step.run ?? '')))),
  rule('text of the event goes nowhere at all, numbers and filters excepted', 'titles, bodies and branch names are chosen by strangers', files =>
    [...files.workflows, ...files.actions].flatMap(file => file.text.split('\n').flatMap((line, index) =>
      /github\.(event\.[a-z_.]*(body|title|ref|label|name|login|message|email)|head_ref)/.test(line) && !/^\s*if: [^$]*$/.test(line) ? [`${file.path}, line ${index + 1}`] : []))),
  rule('every job has a time limit', 'the default is six hours, on a machine that somebody pays', files =>
    placesOf(jobs(files).filter(place => !isCall(place) && typeof place.job['timeout-minutes'] !== 'number'))),
  rule('checkout forgets its token', 'it would stay in .git/config for whatever runs next', files =>
    placesOf(steps(files).filter(({ step }) => step.uses?.startsWith('actions/checkout@') && step.with?.['persist-credentials'] !== false))),
  rule('no checkout asks to be let past its guard against forks', 'it stands in runs that hold rights; the builds need no such word, because a comment starts them', files =>
    placesOf(steps(files).filter(({ step }) => step.uses?.startsWith('actions/checkout@') && step.with?.['allow-unsafe-pr-checkout'] !== undefined))),
  rule('no cache in a job that may write, log in or measure', 'the cache is shared with jobs that run strangers\' code', files => {
    const uses = (step: { uses?: string; with?: Record<string, unknown> }) => /^actions\/cache[@/]/.test(step.uses ?? '') || (/^actions\/setup-/.test(step.uses ?? '') && step.with?.['cache'] !== undefined);
    const inJobs = jobs(files).filter(place => (mayWrite(place) || isSelfHosted(place)) && place.job.steps?.some(uses));
    return [...placesOf(inJobs), ...placesOf(steps(files).filter(({ job, step }) => job === undefined && uses(step)))];
  }),
  rule('no secret outside of an environment', 'an environment has reviewers and a branch rule; a repository secret has none', files =>
    placesOf(jobs(files).filter(({ job }) => job.environment === undefined && (job.secrets !== undefined || texts(job).some(text => /secrets\./.test(text)))))),
  rule('no pull_request_target and no workflow_run', 'they run strangers\' commits with our rights', files =>
    files.workflows.filter(file => /pull_request_target|workflow_run/.test(JSON.stringify(file.content.on ?? ''))).map(file => file.path)),
  rule('comments only when they are created', 'an edited comment is a new instruction that nobody reviewed', files =>
    files.workflows.filter(({ content: { on } }) => {
      const comment = (on as Record<string, { types?: string[] }> | null)?.['issue_comment'];
      return /issue_comment/.test(JSON.stringify(on ?? '')) && JSON.stringify(comment?.types) !== '["created"]';
    }).map(file => file.path)),
  rule('the job that measures may do nothing', 'it runs strangers\' code on a machine that people own', files =>
    placesOf(named(files, 'measure').filter(({ job }) => JSON.stringify(job.permissions) !== '{}' || job.environment !== undefined))),
  rule('jobs that build strangers\' code may at most read', 'their token is the one thing such code could take', files =>
    placesOf(jobs(files).filter(place => place.job.steps?.some(step => step.uses?.endsWith('/actions/build'))
      && (mayWrite(place) || Object.keys(permissionsOf(place)).some(name => name !== 'contents'))))),
  rule('what is built is the commit alone', 'submodules and large files would be fetched from elsewhere, by the pull request\'s word', files =>
    placesOf(jobs(files).filter(({ job }) => job.steps?.some(step => step.uses?.endsWith('/actions/build'))
      && job.steps.some(step => step.uses?.startsWith('actions/checkout@') && (step.with?.['submodules'] !== false || step.with['lfs'] !== false))))),
  rule('a job on our own machine asks for a label that nobody can guess', 'a stranger\'s job that waits for a label would get the machine first', files =>
    placesOf(jobs(files).filter(place => isSelfHosted(place) && !JSON.stringify(place.job['runs-on']).includes('needs.lab-up.outputs.label') && ![GIVEN, IMAGES[0]].includes(String(place.job['runs-on']))))),
  rule('an image that is given comes from the gate, a label from who registered the runner', 'any other label would be somebody\'s machine, or one that can be guessed', files =>
    placesOf(jobs(files).filter(({ job }) => job.uses !== undefined && ((job.with?.['runs-on'] !== undefined && !IMAGES.includes(String(job.with['runs-on'])))
      || (job.with?.['label'] !== undefined && !/^\$\{\{ needs\.start-[1-8]\.outputs\.label \}\}$/.test(String(job.with['label']))))))),
  rule('no download is believed for its name', 'code of the pull request holds the run\'s artifact token, and may replace whatever lies under a name', files => [
    ...jobs(files).flatMap(place => uncheckedDownloads(place.job).map(name => `${place.at}: ${name}`)),
    ...files.actions.filter(({ text }) => /download-artifact/.test(text)).map(({ path }) => path),
  ]),
  rule('a job on our own machine ends after six hours at most', 'a token lives 24 hours and the lease less', files =>
    placesOf(jobs(files).filter(place => isSelfHosted(place) && !(Number(place.job['timeout-minutes']) <= 360)))),
  rule('the machine goes down whatever happened', 'it costs money until then', files => [
    ...placesOf(named(files, 'lab-down').filter(({ job }) => !/^always\(\)( && inputs\.kind == 'azure')?$/.test(String(job.if ?? '').trim()))),
    ...files.workflows.filter(file => file.content.jobs['lab-up'] && !file.content.jobs['lab-down'] && !isGivenBack(files, file.path)).map(file => `${file.path}: lab-up without lab-down`),
  ]),
  rule('every accepted request is published, whatever happened', 'otherwise its comment says "measuring" for ever', files =>
    placesOf(named(files, 'publish').filter(({ job }) => !/\balways\(\)/.test(String(job.if ?? ''))))),
  rule('no matrix whose outputs are believed', 'its legs share them, so the code of one could say what another measured', files =>
    placesOf(jobs(files).filter(({ job }) => job.strategy !== undefined && job.outputs !== undefined || job.strategy !== undefined && job.uses !== undefined))),
  rule('requests for a machine wait in line', 'by default a third request cancels the second, and two would share the machine', files =>
    placesOf(jobs(files).filter(({ job }) => {
      const group = job.concurrency as { 'group'?: string; 'queue'?: string; 'cancel-in-progress'?: boolean } | undefined;
      const isMachine = /(benchmark|hosted)-(machine|fleet)\.yml/.test(job.uses ?? '');
      return isMachine && !(group?.group?.startsWith('perf-lab-machine-') && group.queue === 'max' && group['cancel-in-progress'] !== true);
    }))),
  rule('who writes the comment of a pull request waits for the others', 'two of them would race', files =>
    placesOf(jobs(files).filter(({ job }) => job.steps?.some(step => /\/actions\/(publish|status)$/.test(step.uses ?? ''))
      && (job.concurrency as { queue?: string } | undefined)?.queue !== 'max'))),
  rule('no cloud identity where pull requests start the workflow', 'a Pulumi program is code', files =>
    placesOf(jobs(files).filter(place => /pull_request/.test(JSON.stringify(place.workflow.on ?? '')) && permissionsOf(place)['id-token'] === 'write'))),
  rule('perf-lab comes from where its workflow file comes from', 'a commit that a caller writes by hand can be another one than it calls, and a caller\'s token can\'t read a private lab', files => [
    ...placesOf(steps(files).filter(({ step }) => step.uses?.startsWith('actions/checkout@') && step.with?.['repository'] !== undefined)),
    ...placesOf(steps(files).filter(({ step: { uses = '' } }) => uses.startsWith('$/') && !files.actions.some(({ path }) => path === `${uses.slice(2)}/action.yml`))),
    ...placesOf(jobs(files).filter(({ job }) => job.steps?.some(({ uses = '' }) => uses.startsWith('./') && !uses.startsWith('./tools/lab/.github/actions/')))),
  ]),
  rule('jobs of the lab install no npm packages', 'what they run lies in the repository: it was read, and takes no registry and no time', files =>
    placesOf(steps(files).filter(({ path, step }) => !INSTALLING.includes(path) && /\bnpm (ci|install|i|exec|x|run)\b|\bnpx\b/.test(step.run ?? '')))),
  rule('who only signs sees no subscription', 'azure/login fails for an identity without any right in the subscription that it is given', files =>
    placesOf(steps(files).filter(({ step }) => step.uses?.startsWith('azure/login@') && /outputs\.sign\b/.test(String(step.with?.['client-id']))
      && (step.with?.['subscription-id'] !== undefined || step.with?.['allow-no-subscriptions'] !== true)))),
  rule('the job that publishes pages does nothing else', 'it may vouch for the repository, and the pages hold names from journals', files =>
    placesOf(jobs(files).filter(place => permissionsOf(place)['pages'] === 'write'
      && (place.job.steps?.length !== 1 || !/^actions\/deploy-pages@/.test(place.job.steps[0]!.uses ?? '') || permissionsOf(place)['contents'] !== undefined)))),
  rule('the job that attests has digests and nothing else', 'it may sign for the repository: a file could be replaced before it is signed, and whoever reads a journal could be taken over by it', files =>
    placesOf(jobs(files).filter(place => !isCall(place) && permissionsOf(place)['attestations'] !== undefined
      && (JSON.stringify(Object.keys(permissionsOf(place)).sort()) !== '["attestations","id-token"]' || place.job.environment !== undefined
        || place.job.steps?.some(({ uses = 'actions/attest@' }) => !uses.startsWith('actions/attest@')) === true)))),
  rule('a verdict needs no attestation', 'private repositories without GitHub Enterprise Cloud get none', files =>
    placesOf(steps(files).filter(({ path, step }) => step.uses?.startsWith('actions/attest@') && step['continue-on-error'] !== true && path !== RELEASE))),
  rule('a release is made without rights, signed, then published', 'who builds could publish anything; who downloads could not tell which workflow made it', files =>
    placesOf(jobs(files).filter(({ name, job, workflow, at }) => {
      const publishes = job.steps?.some(({ run = '' }) => /\bgh release (create|upload|edit)\b/.test(run)) === true;
      const builds = job.steps?.some(({ run = '' }) => /release\/make\b|dotnet (publish|pack|build)\b/.test(run)) === true;
      const signer = Object.entries(workflow.jobs).find(([, { steps = [] }]) => steps.some(({ uses = '' }) => uses.startsWith('actions/attest@')));
      const isAfterSigner = signer !== undefined && [job.needs ?? []].flat().includes(signer[0]) && job.if === undefined && signer[1].steps!.every(step => step['continue-on-error'] === undefined);
      const mayOnlyPublish = JSON.stringify(permissionsOf({ name, job, workflow, at })) === '{"contents":"write"}' && job.environment === undefined;
      return publishes && (builds || !isAfterSigner || !mayOnlyPublish);
    }))),
  rule('a composite action names its shell', 'GitHub refuses the action otherwise, at run time', files =>
    placesOf(steps(files).filter(({ job, step }) => job === undefined && step.run !== undefined && (step as { shell?: string }).shell !== 'bash'))),
];
