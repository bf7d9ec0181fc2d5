import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository } from '../rules/files.ts';
import { Release, REPOSITORY } from './release-played.ts';
import { SOURCES } from './released.ts';

let release: Release;
beforeEach(() => { release = new Release(); });
afterEach(() => { release.end(); });

const ARCHIVE = 'perf-lab-0.1.0-linux-x64.tar.gz';
const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
const resultsOf = async (tag: string, isThere?: boolean) => Object.fromEntries(Object.entries(await release.push(tag, isThere)).map(([job, { result }]) => [job, result]));

describe('a tag whose commit says which archive it has', () => {
  it('is made, signed and published, each by a job of its own', async () => {
    release.pin();
    expect(await resultsOf('v0.1.0'), release.story).toEqual({ build: 'success', attest: 'success', release: 'success' });
    expect(release.released('v0.1.0')).toEqual(['SHA256SUMS', ARCHIVE, 'perf-lab.0.1.0.nupkg']);
    const sums = readFileSync(release.file('v0.1.0', 'SHA256SUMS'), 'utf8');
    expect(sums).toBe([ARCHIVE, 'perf-lab.0.1.0.nupkg'].map(name => `${digestOf(release.file('v0.1.0', name))}  ${name}\n`).join(''));
    expect(release.attestations.kept).toEqual([[ARCHIVE, 'perf-lab.0.1.0.nupkg'].map(name => ({ name, digest: digestOf(release.file('v0.1.0', name)) }))]);
    expect(release.notes('v0.1.0').trim()).toBe('- It measures.');
    expect(release.read('.github/release/pinned')).toContain(`archive ${digestOf(release.file('v0.1.0', ARCHIVE))}\naddress https://github.com/${REPOSITORY}/releases/download/v0.1.0/${ARCHIVE}\n`);
    const inside = execFileSync('tar', ['--list', '--gzip', '--file', release.file('v0.1.0', ARCHIVE)], { encoding: 'utf8' });
    for (const path of ['perf-lab', 'lab/perf-lab.yaml', 'lab/workloads/script/workload.yaml', 'LICENSE', 'dotnet-licence/LICENSE.TXT']) expect(inside).toContain(`perf-lab-0.1.0-linux-x64/${path}\n`);
  });

  it('is not published a second time', async () => {
    release.pin();
    await release.push('v0.1.0');
    expect(await resultsOf('v0.1.0')).toMatchObject({ build: 'success', release: 'failure' });
    expect(release.story).toContain('Release.tag_name already exists');
  });

  it.each<[what: string, prepare: () => void, tag: string, said: string]>([
    ['the tag is another version', () => { release.pin(); }, 'v0.2.0', 'the tag is \'v0.2.0\', and runner/PerfLab.Runner/PerfLab.Runner.csproj says version 0.1.0'],
    ['nothing was pinned', () => {}, 'v0.1.0', 'there is no .github/release/pinned: run .github/release/pin OWNER/NAME'],
    ['a source changed since', () => { release.pin(); release.write('LICENSE', 'mine\n'); release.commit(); }, 'v0.1.0', 'the sources are not those that were pinned'],
    ['an earlier version was pinned', () => { release.pin(); release.write('.github/release/pinned', release.read('.github/release/pinned').replace('version 0.1.0', 'version 0.0.9')); release.commit(); }, 'v0.1.0', 'is of version 0.0.9, and this is 0.1.0'],
    ['the changelog says nothing of it', () => { release.pin(); release.write('CHANGELOG.md', '# Changelog\n\n## 0.1.0\n\n## 0.0.9\n\nbefore\n'); release.commit(); }, 'v0.1.0', 'CHANGELOG.md has no section "## 0.1.0", or nothing in it'],
    ['another machine makes another archive', () => { release.pin(); release.slip(); }, 'v0.1.0', 'was pinned: one of the two was not made of this commit, by SDK 10.0.401'],
  ])('is not released where %s', async (_, prepare, tag, said) => {
    prepare();
    expect(await resultsOf(tag)).toEqual({ build: 'failure', attest: 'skipped', release: 'skipped' });
    expect(release.story).toContain(said);
    expect([release.released(tag), release.attestations.kept]).toEqual([null, []]);
  });

  it('is not released unsigned', async () => {
    release.pin();
    release.attestations.isPrivate = true;
    expect(await resultsOf('v0.1.0')).toEqual({ build: 'success', attest: 'failure', release: 'skipped' });
    expect(release.released('v0.1.0')).toBeNull();
  });

  it.each(['release-archive', 'release-rest'])('is not released with a file that somebody replaced: %s', async name => {
    release.pin();
    const play = release.attestations.play;
    Object.assign(release.attestations, { play: (given: Parameters<typeof play>[0]) => { release.replace(name); return play(given); } });
    expect(await resultsOf('v0.1.0')).toEqual({ build: 'success', attest: 'success', release: 'failure' });
    expect(release.released('v0.1.0')).toBeNull();
  });

  it('is not made where it is none: a tag that somebody deleted meanwhile', async () => {
    release.pin();
    expect(await resultsOf('v0.1.0', false)).toMatchObject({ release: 'failure' });
    expect(release.story).toContain(`tag v0.1.0 doesn't exist in the repo ${REPOSITORY}`);
  });
});

describe('what a maintainer types', () => {
  it('pins nothing that is not committed', () => {
    release.write('LICENSE', 'mine\n');
    expect(release.script('pin', REPOSITORY)).toEqual({ code: 3, said: 'perf-lab: there are changes that are not committed: what is pinned must be what is tagged\n' });
  });

  it.each<[what: string, of: string[], said: string]>([
    ['of this repository, workflow and tag', [REPOSITORY, `${REPOSITORY}/.github/workflows/release.yml`, 'refs/tags/v0.1.0'], `${ARCHIVE} is what the release workflow of ${REPOSITORY} made at v0.1.0`],
    ['of another repository', ['mallory/perf-lab', 'mallory/perf-lab/.github/workflows/release.yml', 'refs/tags/v0.1.0'], 'expected SourceRepositoryURI to be https://github.com/octo-org/perf-lab, got https://github.com/mallory/perf-lab. Don\'t run it'],
    ['of another workflow', [REPOSITORY, `${REPOSITORY}/.github/workflows/other.yml`, 'refs/tags/v0.1.0'], 'no matching CertificateIdentity found. Don\'t run it'],
    ['of a branch', [REPOSITORY, `${REPOSITORY}/.github/workflows/release.yml`, 'refs/heads/main'], 'expected SourceRepositoryRef to be refs/tags/v0.1.0, got refs/heads/main. Don\'t run it'],
    ['of nobody', [], 'HTTP 404: Not Found'],
  ])('looks whether GitHub vouches for a file: one %s', (what, of, said) => {
    const file = join(release.folder, ARCHIVE);
    writeFileSync(file, 'archive');
    if (of.length > 0) release.attest(file, ...of);
    const checked = release.script('check', file, REPOSITORY, '0.1.0');
    expect([checked.code, checked.said]).toEqual([what.startsWith('of this') ? 0 : 3, expect.stringContaining(said)]);
  });
});

it('the sources of a release hold every file that a project takes from outside of its folder', () => {
  const projects = readdirSync(join(repository, 'runner'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.csproj') && !/\/(bin|obj)\//.test(name));
  const taken = projects.flatMap(name => [...readFileSync(join(repository, 'runner', name), 'utf8').matchAll(/(?:\.\.\/){2}([A-Za-z][^"*;]*)/g)].map(([, path]) => path!.replace(/\/$/, '')));
  expect(taken.length).toBeGreaterThan(4);
  const script = readFileSync(join(repository, '.github/release/sources'), 'utf8'), [, listed = ''] = /^find (.*) \\$/m.exec(script)!;
  const all = listed.split(' ');
  expect(taken.filter(path => !all.some(source => path === source || path.startsWith(`${source}/`)))).toEqual([]);
  expect(SOURCES.filter(source => !all.includes(source))).toEqual([]);
});
