import type { Files, Job, Step } from './files.ts';

/** A file that a job takes from another job of its run. */
export interface Download { readonly at: string; readonly name: string }

const isDownload = (step: Step): boolean => step.uses?.startsWith('actions/download-artifact@') === true;
const CHECK = 'sha256sum --check --strict';

/** Of "${{ inputs.prefix }}build-head" head, of "${{ inputs.plan }}" and of "${{ needs.spread.outputs.plan || 'plan' }}" plan. */
const stemOf = (name: string): string => (/\bplan\b/.exec(/^\$\{\{.*\}\}$/.exec(name)?.[0] ?? '')?.[0] ?? name.replace(/^.*\}\}/, '').replace(/^build-/, '').replace(/-plan$/, '-plan'));

/** The files below `in` whose sha256 is computed before anything uses them: in a step of the job, or by an action that is handed the digest with the file. */
function checkedOf(steps: readonly Step[]): string[] {
  const inSteps = steps.flatMap(({ run = '' }) => run.split('\n').filter(line => line.includes(`| ${CHECK}`)).flatMap(line => [...line.matchAll(/%s {2}in\/(%s|[a-z-]+)/g)].map(([, stem]) => stem!)));
  const byActions = steps.flatMap(({ uses = '', with: given = {} }) => (!/\/actions\/(status|publish|trend)$/.test(uses) ? []
    : Object.entries(given).filter(([input, value]) => /^in\/[a-z-]+\.[a-z]+$/.test(String(value)) && given[`${input}-digest`] !== undefined).map(([, value]) => /^in\/([a-z-]+)/.exec(String(value))![1]!)));
  return [...inSteps, ...byActions];
}

/** Downloads of a job that nothing holds against a digest, and those that do not say one artifact by its name. */
export function uncheckedDownloads(job: Job): string[] {
  const steps = job.steps ?? [], left = checkedOf(steps);
  const names = steps.filter(isDownload).map(({ with: given = {} }) => (Object.keys(given).sort().join() === 'name,path' && given['path'] === 'in' ? String(given['name']) : null));
  const unchecked = names.filter(name => {
    if (name === null) return true;
    const stem = stemOf(name), at = left.includes(stem) ? left.indexOf(stem) : name.includes('${{') ? left.indexOf('%s') : -1;
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const [last, check] = [steps.findLastIndex(isDownload), steps.findIndex(({ run = '' }) => run.includes(CHECK))];
  // What came is checked before any of it is run: an archive of ours holds our own actions.
  const early = check >= 0 && check < last || steps.some(({ uses = '' }, index) => index <= last && /^\.\/(tools|in)\//.test(uses));
  return [...unchecked.map(name => name ?? 'all'), ...(early ? ['before the last download'] : [])];
}

/** Everything that workflows download, and where. */
export const downloads = (files: Files): Download[] => files.workflows.flatMap(file => Object.entries(file.content.jobs).flatMap(([job, { steps = [] }]) =>
  steps.filter(isDownload).map(({ with: given }) => ({ at: `${file.path}, job ${job}`, name: String(given?.['name'] ?? '') }))));
