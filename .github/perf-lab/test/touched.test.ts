import { describe, expect, it } from 'vitest';
import { isLabPath, refuseLabChanges } from '../src/gate/touched.ts';
import { Refusal } from '../src/request/refusal.ts';

describe('what a pull request may not change unasked', () => {
  it.each([
    '.github/workflows/x.yml', '.GitHub/x', 'infra/index.ts', 'runner/x.cs', '.perf-lab/x', 'perf-lab', 'perf-lab.yaml', 'a/b/workload.yaml', 'Pulumi.yaml', 'global.json', 'src/global.json', 'NuGet.Config', 'nuget.config',
    'Directory.Build.props', 'src/directory.build.targets', '.gitmodules',
    // Obeyed by every build below them: learn.microsoft.com, "Customize your build", "MSBuild response files" and "Customize a solution build".
    'Directory.Build.rsp', 'src/Directory.Build.rsp', 'Directory.Solution.props', 'src/Directory.Solution.props', 'Directory.Solution.targets', 'src/directory.solution.targets', 'lab.json', 'a/Lab.json',
  ])('is_the_lab: %s', path => { expect(isLabPath(path)).toBe(true); });
  it.each(['src/Library.cs', 'src/infra/x.cs', 'src/.github', 'docs/runner.md', 'infra.md', 'github/x', 'my-perf-lab.yaml', 'perf-lab.yaml.md', 'global.json/readme', 'Directory.Build.rsp.md', 'MyDirectory.Solution.props', 'Directory.Solution.targets/x', 'lab.jsonc', 'my-lab.json', 'README.md', ''])('is_not: %j', path => { expect(isLabPath(path)).toBe(false); });

  const refusal = (files: readonly string[], isComplete = true): Refusal | null => {
    try {
      refuseLabChanges({ base: '', files, isComplete }, 'write');
      return null;
    } catch (error) {
      return error as Refusal;
    }
  };
  const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `infra/${i}.ts`);
  it('is_shown_five_at_a_time', () => {
    expect(refusal(many(5))!.sentences[0]).toContain('(`infra/0.ts`, `infra/1.ts`, `infra/2.ts`, `infra/3.ts`, `infra/4.ts`). Only');
    expect(refusal(many(7))!.sentences[0]).toContain('`infra/4.ts` and 2 more). Only');
  });
  it('is_known_only_when_all_files_are', () => {
    expect(refusal(['src/x.cs'])).toBeNull();
    expect(refusal(['src/x.cs'], false)!.code).toBe('too-many-files');
    expect(refusal(many(1), false)!.code).toBe('touches-lab');
    expect(() => { refuseLabChanges({ base: '', files: many(1), isComplete: false }, 'admin'); }).not.toThrow();
  });
});
