import { code } from '../text/untrusted.ts';
import type { Comparison } from './merge-base.ts';
import type { Permission } from './authorise.ts';
import { Refusal } from '../request/refusal.ts';

// The code that measures comes from the default branch whatever the pull request says; but a reviewer who sees a changed workflow or
// manifest would be misled about what was measured.
const FOLDERS = ['.github/', 'infra/', 'runner/', '.perf-lab/'];
const NAMES = ['perf-lab', 'perf-lab.yaml', 'workload.yaml', 'pulumi.yaml', 'global.json', 'nuget.config', 'directory.build.props', 'directory.build.targets', 'directory.build.rsp', 'directory.solution.props', 'directory.solution.targets', 'lab.json', '.gitmodules'];

/** Whether a path is part of the lab, or decides for every build. NuGet and MSBuild find their files in any case and any folder. */
export function isLabPath(path: string): boolean {
  const lower = path.toLowerCase();
  return FOLDERS.some(folder => lower.startsWith(folder)) || NAMES.includes(lower.slice(lower.lastIndexOf('/') + 1));
}

/** Step 7. */
export function refuseLabChanges(comparison: Comparison, permission: Permission): void {
  if (permission === 'admin') return;
  const touched = comparison.files.filter(isLabPath);
  if (touched.length > 0) {
    const shown = touched.slice(0, 5).map(path => code(path)).join(', ');
    throw new Refusal('touches-lab', `The pull request changes how things are built or measured (${shown}${touched.length > 5 ? ` and ${touched.length - 5} more` : ''}). Only an admin of the repository can ask for it.`);
  }
  if (!comparison.isComplete) throw new Refusal('too-many-files', 'GitHub doesn\'t list all files that the pull request changes (it lists 299 at most), so they can\'t be checked. Only an admin of the repository can ask for it.');
}
