import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './files.ts';

/** Made file -> the file that it is made of. GitHub asks for the rights of all nested jobs before it looks at an `if`, so who measures on GitHub's machines alone needs files in which no job asks for a login. */
export const MADE_OF: Readonly<Record<string, string>> = {
  'benchmark-hosted.yml': 'benchmark-run.yml',
  'hosted-machine.yml': 'benchmark-machine.yml',
  'hosted-fleet.yml': 'benchmark-fleet.yml',
  'hosted-shard.yml': 'benchmark-shard.yml',
};

/** What starts and stops a machine of one's own, and what signs: each asks for a login. And what only they need. */
const LEFT_OUT = /^(lab-up|lab-down|attest|spread|start-\d|status-waiting)$/;

/** [from, to]: `from` must be there. What depended on a job that is gone, or on a kind of machine that is none of GitHub's. */
type Edits = readonly (readonly [from: string | RegExp, to: string])[];
const HOSTED_LABEL = '# zizmor: ignore[self-hosted-runner] an image of GitHub\'s own: the gate knows them by a closed list';
const EDITS: Readonly<Record<string, Edits>> = {
  'benchmark-run.yml': [
    [/^# One \/benchmark request, from the comment to the verdict\./, '# One /benchmark request on GitHub\'s own machines, from the comment to the verdict. No job asks for a login, so no caller has to grant one, and nothing is signed.'],
    ['name: benchmark run', 'name: benchmark hosted'],
    ['word: "${{ inputs.word }}" }', 'word: "${{ inputs.word }}", hosted-only: "true" }'],
    ['needs.fleet.outputs.plan || (needs.complete.outputs.digest && \'plan-complete\') || \'plan\'', 'needs.complete.outputs.digest && \'plan-complete\' || \'plan\''],
    ['needs.fleet.outputs.plan-digest || ', ''],
    [/^ {6}kind: \$\{\{ needs\.gate\.outputs\.machine-kind \}\}\n/gm, ''],
  ],
  'benchmark-machine.yml': [
    [/^# Starts a machine, .*$/m, '# Measures on one of GitHub\'s own machines, and publishes.'],
    ['name: benchmark machine', 'name: hosted machine'],
    [/^ {6}(kind|lease-minutes): \{ type.*\n/gm, ''],
    ['"${{ fromJSON(toJSON(jobs.lab-up)).result }}"', 'skipped'],
    ['lab-up-result: ${{ needs.lab-up.result }}', 'lab-up-result: skipped'],
    [/^ {4}if: \$\{\{ !cancelled\(\) && \(?needs\.lab-up\.result.*\n/gm, ''],
    [/^ {4}# The machine is held from here on.*\n/m, ''],
    [/^ {4}# Azure: .*\n {4}# Metal: .*\n {4}# Hosted: .*\n {4}runs-on: .*$/m, `    runs-on: \${{ inputs.runs-on }} ${HOSTED_LABEL}`],
    ['kind: "${{ inputs.kind }}"', 'kind: hosted'],
    [/^ {6}- name: Nothing of an earlier request is left.*\n.*\n/m, ''],
    [/^ {4}# Beside lab-down and not after it.*\n/m, ''],
  ],
  'benchmark-fleet.yml': [
    [/^# Spreads one request's plan .*$/m, '# Measures one request\'s plan on several of GitHub\'s own machines, and publishes once over all their journals. One that fails costs its cells only.'],
    ['name: benchmark fleet', 'name: hosted fleet'],
    [/^ {6}kind: .*\n/gm, ''],
    [/^ {6}(plan|plan-digest): \{ value: .*\n/gm, ''],
    [/^ {4}if: \$\{\{ !cancelled\(\) && needs\.spread\..*\n/m, ''],
    [/^ {4}# Machines are held from here on.*\n/m, ''],
    [/always\(\) && (inputs\.machines >= \d) #.*$/gm, '$1'],
    [/\$\{\{ fromJSON\(needs\.spread\.outputs\.shards \|\| '\[1,2,3,4,5,6,7,8\]'\)\[0\] \}\}/, '1'], [/\$\{\{ fromJSON\(needs\.spread.*\[1\] \}\}/, '2'],
    [/\$\{\{ fromJSON\(needs\.spread.*\[2\] \}\}/, '3'], [/\$\{\{ fromJSON\(needs\.spread.*\[3\] \}\}/, '4'], [/\$\{\{ fromJSON\(needs\.spread.*\[4\] \}\}/, '5'],
    [/\$\{\{ fromJSON\(needs\.spread.*\[5\] \}\}/, '6'], [/\$\{\{ fromJSON\(needs\.spread.*\[6\] \}\}/, '7'], [/\$\{\{ fromJSON\(needs\.spread.*\[7\] \}\}/, '8'],
    [/fromJSON\(needs\.spread\.outputs\.machines \|\| inputs\.machines\)/g, 'inputs.machines'],
    [/^ {6}(own-machine|label): .*\n/gm, ''],
    [/needs\.spread\.outputs\.plan \|\| /g, ''],
    [/needs\.spread\.outputs\.digest \|\| /g, ''],
    ['${{ needs.spread.outputs.came == \'none\' && \'failure\' || \'skipped\' }}', 'skipped'],
  ],
  'benchmark-shard.yml': [
    ['name: benchmark shard', 'name: hosted shard'],
    [/^ {6}(kind|own-machine|label): \{ type.*\n/gm, ''],
    [/^ {4}if: \$\{\{ !cancelled\(\) && inputs\.shard > 0 .*$/m, '    if: ${{ !cancelled() && inputs.shard > 0 }}'],
    [/^ {4}# Azure: .*\n {4}runs-on: .*$/m, `    runs-on: \${{ inputs.runs-on }} ${HOSTED_LABEL}`],
    ['kind: "${{ inputs.kind }}"', 'kind: hosted'],
  ],
};

const MADE_BY = '# Made of $OF by `npm run hosted` in tests/workflows: change that one.\n';

/** The text of a made file, from the file that people write. */
export function hostedFile(name: string): string {
  const of = MADE_OF[name]!;
  return MADE_BY.replace('$OF', of) + hostedOf(of, readFileSync(join(repository, '.github/workflows', of), 'utf8'));
}

export function hostedOf(of: string, text: string): string {
  const [head = '', body = ''] = text.split(/^jobs:\n/m);
  const blocks = body.split(/^(?= {2}[a-z])/m).filter(block => !LEFT_OUT.test(/^ {2}([a-z0-9-]+):/.exec(block)![1]!));
  const kept = `${head}jobs:\n${blocks.map(withoutLogin).join('')}`.trimEnd() + '\n';
  return EDITS[of]!.reduce((all, [from, to]) => {
    const changed = all.replace(from, to);
    if (changed === all) throw new Error(`${of} does not hold ${String(from)} any more: look at what is made of it`);
    return changed;
  }, kept);
}

function withoutLogin(block: string): string {
  return block
    .replace(/^ {4}needs: (.*)\n/m, (_, needs: string) => needsLine(needs.replace(/[[\]]/g, '').split(', ').filter(need => !LEFT_OUT.test(need))))
    .replace(/^( {4}permissions: \{.*), id-token: write(, attestations: write)? \}.*$/m, '$1 }')
    .replace(/\.\/\.github\/workflows\/benchmark-(machine|fleet|shard)\.yml/, './.github/workflows/hosted-$1.yml');
}

const needsLine = (needs: readonly string[]): string => needs.length === 0 ? '' : `    needs: ${needs.length === 1 ? needs[0]! : `[${needs.join(', ')}]`}\n`;
