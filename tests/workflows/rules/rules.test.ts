import { describe, expect, it } from 'vitest';
import { readAll, withWorkflow } from './files.ts';
import { PINNED, RULES } from './rules.ts';

const files = readAll();
const [, checkout] = PINNED['actions/checkout']!, [, download] = PINNED['actions/download-artifact']!;

/** A job that breaks no rule; mistakes are put in place of the marked words. */
const good = (change: (text: string) => string = text => text): string => change(`
on: { issue_comment: { types: [created] } }
permissions: {}
jobs:
  any:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions: { contents: read }
    steps:
      - uses: actions/checkout@${checkout} # v7.0.1
        with: { persist-credentials: false }
      - uses: actions/download-artifact@${download} # v8.0.1
        with: { name: tools, path: in }
      - run: |
          printf '%s  in/tools.tar\\n' "$TOOLS" | sha256sum --check --strict
          tar --extract --file in/tools.tar
      - run: echo
  measure:
    runs-on: ["\${{ needs.lab-up.outputs.label }}"]
    timeout-minutes: 60
    permissions: {}
    steps: [{ run: echo }]
  lab-up:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    environment: perf-lab
    permissions: { id-token: write }
    steps: [{ run: echo }]
  lab-down:
    if: always()
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    environment: perf-lab
    permissions: { id-token: write }
    steps: [{ run: echo }]
  publish:
    if: always()
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions: { pull-requests: write }
    concurrency: { group: perf-lab-comment, queue: max }
    steps: [{ uses: $/.github/actions/publish }]
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions: { contents: read } # build
    steps:
      - uses: actions/checkout@${checkout} # v7.0.1
        with: { submodules: false, lfs: false, persist-credentials: false }
      - uses: ./tools/lab/.github/actions/build
  machine:
    uses: ./.github/workflows/benchmark-machine.yml
    permissions: { id-token: write }
    concurrency: { group: perf-lab-machine-x, queue: max }
`);

const replace = (from: string, to: string) => (text: string): string => {
  if (!text.includes(from)) throw new Error(`the sample does not hold ${from}`);
  return text.replace(from, to);
};

/** A release in place of the job that builds; what is between the quotes is what is wrong with it. */
const RELEASED = (rights: string, before: string, signed: string) => (text: string): string => `${text}
  sign:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions: { id-token: write, attestations: write }
    steps: [{ uses: actions/attest@${PINNED['actions/attest']![1]}${signed} }]
  release:
    needs: sign
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    ${rights}
    steps: [{ run: ${before} }, { run: gh release create v1 in/file }]
`;

/** Rule -> mistakes that it alone has to find. */
const MISTAKES: Readonly<Record<string, readonly [what: string, change: (text: string) => string][]>> = {
  'actions are pinned to a known commit, with its tag beside it': [
    ['a tag', replace(`checkout@${checkout} # v7.0.1`, 'checkout@v7')],
    ['a commit that is not the release', replace(checkout, '0'.repeat(40))],
    ['no tag beside the commit', replace(' # v7.0.1', '')],
    ['an unknown action', replace('- run: echo\n', `- uses: someone/else@${checkout} # v7.0.1\n`)],
  ],
  'every workflow starts from no permission': [
    ['nothing said', replace('permissions: {}\njobs', 'jobs')],
    ['write-all', replace('permissions: {}\njobs', 'permissions: write-all\njobs')],
  ],
  'every job says its permissions, one by one': [
    ['nothing said', replace('    permissions: { contents: read }\n', '')],
    ['write-all', replace('permissions: { contents: read }', 'permissions: write-all')],
  ],
  'no text of the event, of an input or of an output inside run': [
    ['the comment', replace('- run: echo\n', '- run: echo ${{ github.event.comment.body }}\n')],
    ['an output', replace('- run: echo\n', '- run: echo ${{ steps.x.outputs.y }}\n')],
  ],
  'text of the event goes nowhere at all, numbers and filters excepted': [
    ['as an environment variable', replace('- run: echo\n', '- run: echo "$BODY"\n        env: { BODY: "${{ github.event.comment.body }}" }\n')],
    ['the branch', replace('- run: echo\n', '- run: echo "$REF"\n        env: { REF: "${{ github.head_ref }}" }\n')],
  ],
  'every job has a time limit': [['none', replace('    timeout-minutes: 5\n', '')]],
  'checkout forgets its token': [['not said', replace('        with: { persist-credentials: false }\n', '')], ['kept', replace('persist-credentials: false', 'persist-credentials: true')]],
  'no checkout asks to be let past its guard against forks': [['asked', replace('persist-credentials: false', 'persist-credentials: false, allow-unsafe-pr-checkout: true')]],
  'no cache in a job that may write, log in or measure': [
    ['cache action', replace('steps: [{ uses: $/.github/actions/publish }]', 'steps: [{ uses: $/.github/actions/publish }, { uses: actions/cache@v4 }]')],
    ['cache of setup-node', replace('permissions: {}\n    steps: [{ run: echo }]', 'permissions: {}\n    steps: [{ uses: actions/setup-node@v6, with: { cache: npm } }]')],
  ],
  'no secret outside of an environment': [
    ['in a step', replace('- run: echo\n', '- run: echo\n        env: { T: "${{ secrets.TOKEN }}" }\n')],
    ['handed on', replace('    uses: ./.github/workflows/benchmark-machine.yml\n', '    uses: ./.github/workflows/benchmark-machine.yml\n    secrets: inherit\n')],
  ],
  'no pull_request_target and no workflow_run': [
    ['as a map', replace('on: {', 'on: { pull_request_target: {},')],
    ['as a word', replace('on: { issue_comment: { types: [created] } }', 'on: pull_request_target')],
    ['workflow_run', replace('on: {', 'on: { workflow_run: { workflows: [ci] },')],
  ],
  'comments only when they are created': [['edited too', replace('[created]', '[created, edited]')], ['all', replace('{ types: [created] }', '{}')]],
  'the job that measures may do nothing': [['reads', replace('permissions: {}\n    steps', 'permissions: { contents: read }\n    steps')], ['an environment', replace('    timeout-minutes: 60\n', '    timeout-minutes: 60\n    environment: perf-lab\n')]],
  'jobs that build strangers\' code may at most read': [
    ['writes', replace('permissions: { contents: read } # build', 'permissions: { contents: write }')],
    ['logs in', replace('permissions: { contents: read } # build', 'permissions: { id-token: write }')],
  ],
  'what is built is the commit alone': [['submodules', replace('submodules: false, ', '')], ['large files', replace('lfs: false', 'lfs: true')]],
  'a job on our own machine asks for a label that nobody can guess': [
    ['any machine', replace('["${{ needs.lab-up.outputs.label }}"]', 'self-hosted')],
    ['the run, which everybody sees', replace('["${{ needs.lab-up.outputs.label }}"]', '[self-hosted, "run-${{ github.run_id }}"]')],
  ],
  'an image that is given comes from the gate, a label from who registered the runner': [
    ['a label of the run, which everybody sees', replace('  machine:\n', '  machine:\n    with: { label: "run-${{ github.run_id }}" }\n')],
    ['written by hand', replace('  machine:\n', '  machine:\n    with: { runs-on: my-own }\n')],
    ['of the event', replace('  machine:\n', '  machine:\n    with: { runs-on: "${{ github.event.comment.body }}" }\n')],
  ],
  'no download is believed for its name': [
    ['no check', replace(' | sha256sum --check --strict', '')],
    ['a check that takes what it does not understand', replace('--check --strict', '--check')],
    ['another file is checked', replace('in/tools.tar\\n', 'in/plan.json\\n')],
    ['one more than is checked', replace('- run: echo\n', `- uses: actions/download-artifact@${download} # v8.0.1\n        with: { name: plan, path: in }\n`)],
    ['used before it is checked', replace('      - run: |\n', `      - uses: ./tools/lab/.github/actions/measure\n      - uses: actions/download-artifact@${download} # v8.0.1\n        with: { name: plan, path: in }\n      - run: |\n          printf '%s  in/plan.json\\n' "$PLAN" | sha256sum --check --strict\n`)],
    ['handed on without its digest', replace('- run: echo\n', `- uses: $/.github/actions/status\n        with: { plan: in/plan.json }\n      - uses: actions/download-artifact@${download} # v8.0.1\n        with: { name: plan, path: in }\n`)],
    ['all of the run', replace('with: { name: tools, path: in }', 'with: { path: in }')],
    ['by a pattern', replace('with: { name: tools, path: in }', 'with: { pattern: "tools*", path: in }')],
    ['of another run', replace('with: { name: tools, path: in }', 'with: { name: tools, path: in, run-id: 1, github-token: x }')],
  ],
  'a job on our own machine ends after six hours at most': [['a day', replace('timeout-minutes: 60', 'timeout-minutes: 1440')]],
  'perf-lab comes from where its workflow file comes from': [
    ['by hand', replace('- run: echo\n', `- uses: actions/checkout@${checkout} # v7.0.1\n        with: { repository: "\${{ job.workflow_repository }}", ref: "\${{ job.workflow_sha }}", path: lab, persist-credentials: false }\n`)],
    ['an action that is not there', replace('$/.github/actions/publish', '$/.github/actions/publishes')],
    ['the caller\'s own', replace('$/.github/actions/publish', './.github/actions/publish')],
  ],
  'jobs of the lab install no npm packages': [['by the lock file', replace('- run: echo\n', '- run: npm ci --prefix x --ignore-scripts\n')], ['on the way', replace('- run: echo\n', '- run: npx x\n')]],
  'who only signs sees no subscription': [
    ['one is named', replace('- run: echo\n', `- uses: azure/login@${PINNED['azure/login']![1]} # v3.0.1\n        with: { client-id: "\${{ steps.lab.outputs.sign }}", tenant-id: t, subscription-id: s, allow-no-subscriptions: true }\n`)],
    ['the switch is missing', replace('- run: echo\n', `- uses: azure/login@${PINNED['azure/login']![1]} # v3.0.1\n        with: { client-id: "\${{ steps.lab.outputs.sign }}", tenant-id: t }\n`)],
  ],
  'the machine goes down whatever happened': [
    ['started by a call, and not given back', replace('  lab-down:\n    if: always()\n', '  other:\n    if: always()\n')],
    ['on metal too, where nobody started it', replace('    if: always()\n', '    if: always() && inputs.kind == \'metal\'\n')], ['on success only', replace('    if: always()\n', '')], ['unless cancelled', replace('if: always()', 'if: "!cancelled()"')],
  ],
  'every accepted request is published, whatever happened': [['on success only', replace('  publish:\n    if: always()\n', '  publish:\n')]],
  'no matrix whose outputs are believed': [
    ['a job with outputs', replace('    timeout-minutes: 60\n', '    timeout-minutes: 60\n    strategy: { matrix: { shard: [1, 2] } }\n    outputs: { id: x }\n')],
    ['a call', replace('  machine:\n', '  machine:\n    strategy: { matrix: { shard: [1, 2] } }\n')],
  ],
  'requests for a machine wait in line': [
    ['several of them', text => replace('benchmark-machine', 'benchmark-fleet')(replace('    concurrency: { group: perf-lab-machine-x, queue: max }\n', '')(text))],
    ['the third cancels the second', replace('group: perf-lab-machine-x, queue: max', 'group: perf-lab-machine-x')],
    ['cancels who measures', replace('group: perf-lab-machine-x, queue: max', 'group: perf-lab-machine-x, queue: max, cancel-in-progress: true')],
    ['no group', replace('    concurrency: { group: perf-lab-machine-x, queue: max }\n', '')],
  ],
  'who writes the comment of a pull request waits for the others': [['no group', replace('    concurrency: { group: perf-lab-comment, queue: max }\n', '')]],
  'the job that publishes pages does nothing else': [
    ['runs something', replace('permissions: { contents: read } # build', 'permissions: { pages: write, id-token: write }')],
    ['may push, too', replace('permissions: { id-token: write }\n    steps: [{ run: echo }]', `permissions: { pages: write, contents: write }\n    steps: [{ uses: actions/deploy-pages@${PINNED['actions/deploy-pages']![1]} }]`)],
    ['hands it on', replace('permissions: { id-token: write }\n    concurrency', 'permissions: { pages: write }\n    concurrency')],
  ],
  'the job that attests has digests and nothing else': [
    ['reads files of the run', replace('permissions: { contents: read }\n    steps:\n      - uses: actions/checkout', 'permissions: { id-token: write, attestations: write }\n    steps:\n      - uses: actions/checkout')],
    ['may write comments, too', replace('permissions: { contents: read } # build', 'permissions: { id-token: write, attestations: write, pull-requests: write }')],
    ['logs in', replace('permissions: { id-token: write }\n    steps: [{ run: echo }]', 'permissions: { id-token: write, attestations: write }\n    steps: [{ run: echo }]')],
  ],
  'a verdict needs no attestation': [['fails where none can be had', replace('- run: echo\n', `- uses: actions/attest@${PINNED['actions/attest']![1]} # v4.2.2\n`)]],
  'a release is made without rights, signed, then published': [
    ['not signed', replace('- run: echo\n', '- run: gh release create v1 in/file\n')],
    ['in spite of no signature', RELEASED('if: always()\n    permissions: { contents: write }', 'echo', '')],
    ['signed or not', RELEASED('permissions: { contents: write }', 'echo', ', continue-on-error: true')],
    ['by who made it', RELEASED('permissions: { contents: write }', '.github/release/make out', '')],
    ['by who may sign, too', RELEASED('permissions: { contents: write, id-token: write }', 'echo', '')],
  ],
  'no cloud identity where pull requests start the workflow': [['logs in', replace('on: {', 'on: { pull_request: {},')]],
};

describe.each(RULES)('$name', ({ name, broken }) => {
  it('holds in the repository', () => { expect(broken(files)).toEqual([]); });
  it('holds in a workflow without mistakes', () => { expect(broken(withWorkflow(files, 'sample.yml', good()))).toEqual([]); });
  if (name === 'a composite action names its shell') {
    it('finds an action without one', () => {
      expect(broken({ ...files, actions: [{ path: 'a', text: '', content: { runs: { using: 'composite', steps: [{ run: 'echo' }] } } }] })).toEqual(['a, step 1']);
    });
    return;
  }
  it.each(MISTAKES[name] ?? [])('finds: %s', (_, change) => { expect(broken(withWorkflow(files, 'sample.yml', good(change)))).not.toEqual([]); });
  it('was tried with a mistake', () => { expect(MISTAKES[name]?.length).toBeGreaterThan(0); });
});

// v7 refuses commits of forks where `pull_request_target` or `workflow_run` started the run (GitHub's changelog of 2026-06-18, actions/checkout#2500). The builds check such commits out
// in runs that a comment started. Whoever takes a newer version reads first whether its guard looks at `issue_comment`, too, and what a build then needs.
it('the guard of actions/checkout against forks was read in this version', () => { expect(PINNED['actions/checkout']![0]).toBe('v7.0.1'); });
