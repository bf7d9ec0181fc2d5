import fs from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse as parseYamlText } from 'yaml';
import { ComparisonFile } from '../src/publish/judge.ts';
import { readLabConfig } from '../src/request/lab-config.ts';
import { PlanFile } from '../src/request/plan.ts';
import { RequestFile } from '../src/request/request.ts';
import { parseFormat } from '../src/text/file.ts';
import { BadFile } from '../src/text/json-scan.ts';
import { at, changed, KINDS, mutants, withMistakes, type Mutant } from './support/mutants.ts';

const ROOT = new URL('../../../', import.meta.url);
const text = (file: string): string => fs.readFileSync(new URL(file, ROOT), 'utf8');

// lab.json is read by jq, where nothing but the image's own tools may be needed: each member it takes is one that is always there.
it.each(['lab-up', 'lab-down', 'reap'])('the_action_%s_takes_members_of_lab_json_that_are_never_missing', action => {
  const line = /^ *jq .*lab\.json.*$/m.exec(text(`.github/actions/${action}/action.yml`))?.[0] ?? '';
  const taken = [...line.matchAll(/\\\(\.([A-Za-z.]+)\)/g)].map(([, member]) => member!.split('.'));
  expect(taken.length).toBeGreaterThan(2);
  const lab = JSON.parse(text('tests/fixtures/formats/lab.json')) as object, validate = schemaOf('lab');
  expect(validate(lab)).toBe(true);
  for (const member of taken) {
    expect([member, typeof at(lab, member)]).toEqual([member, expect.stringMatching(/^(string|number)$/)]);
    expect([member, validate(changed(lab, member, undefined))]).toEqual([member, false]);
  }
});

/** Where our reader and the schema differ on purpose: at these members, in this direction. */
interface Difference { readonly at: RegExp; readonly weAccept: boolean; readonly why: string }
interface Format {
  readonly example: string;
  readonly schema: string;
  readonly read: (text: string) => unknown;
  readonly differences: readonly Difference[];
}

const NUMBERS: Difference = { at: /./, weAccept: false, why: 'whole numbers over 2^53 - 1 are not exact here; the runner has 64 bits' };
const FORMATS: readonly Format[] = [
  { example: 'request.json', schema: 'request', read: text => parseFormat(RequestFile, text, 'request.json'), differences: [NUMBERS] },
  {
    example: 'comparison.json', schema: 'comparison', read: text => parseFormat(ComparisonFile, text, 'comparison.json'),
    differences: [
      NUMBERS,
      { at: /^(?!schema$|headline$|summary\b|the whole$)/, weAccept: true, why: 'only the answer and the counts are read here; `report` reads the file again, whole' },
      { at: /^summary\.(unheardOf|allocatesLess)$/, weAccept: true, why: 'the same' },
      { at: /^headline$/, weAccept: false, why: 'this runner wrote it, with a plain sentence; the comparisons of older ones have none' },
    ],
  },
  {
    example: 'perf-lab.yaml', schema: 'config', read: readLabConfig,
    differences: [
      NUMBERS,
      { at: /^(workloads|suites|policy|history|kubernetes|unheardOf)\b/, weAccept: true, why: 'the runner reads the whole file in the plan job' },
    ],
  },
  {
    example: 'plan.json', schema: 'plan', read: text => parseFormat(PlanFile, text, 'plan.json'),
    differences: [
      NUMBERS,
      {
        at: /^(?!schema$|plan$|the whole$|plan\.(estimate(\.(leastSeconds|mostSeconds))?|cells)$)/,
        weAccept: true, why: 'only the estimate is read here; the runner reads the plan by its hash',
      },
    ],
  },
];

function schemaOf(name: string): ValidateFunction {
  const schema = JSON.parse(text(`schemas/${name}.schema.json`)) as { $schema?: string };
  const options = { strict: false, validateFormats: false };
  return (schema.$schema?.includes('draft-07') ? new Ajv(options) : new Ajv2020(options)).compile(schema);
}

/** Null when it is taken; otherwise the problems. Anything else that is thrown is a fault of ours. */
function problemsOf(read: Format['read'], text: string): readonly string[] | null {
  try {
    read(text);
    return null;
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    return error.problems;
  }
}

describe.each(FORMATS)('$example', ({ example, schema, read, differences }) => {
  const written = text(`tests/fixtures/formats/${example}`);
  const value = (example.endsWith('.yaml') ? parseYamlText(written) : JSON.parse(written)) as unknown;
  const validate = schemaOf(schema);
  const drawn = mutants(value, 20260301, 400);
  // A schema can't see that a member is there twice: formats.md says that such a file is refused.
  const isValid = ({ kind, text }: Mutant): boolean => kind !== 'doubled' && validate(JSON.parse(text));

  it('the_example_is_taken_by_reader_and_schema', () => {
    expect(problemsOf(read, written)).toBeNull();
    expect([validate(value), validate.errors]).toEqual([true, null]);
  });

  it('reader_and_schema_judge_every_mutant_alike', () => {
    const apart = drawn.flatMap(mutant => {
      const problems = problemsOf(read, mutant.text), weAccept = problems === null;
      const onPurpose = ({ at, ...it }: Difference): boolean => it.weAccept === weAccept && mutant.kind !== 'doubled' && at.test(mutant.member)
        && (it.why !== NUMBERS.why || /\d{16}|e\+/.test(mutant.text));
      if (weAccept === isValid(mutant) || differences.some(onPurpose)) return [];
      const verdict = weAccept ? 'we take' : `we refuse (${problems.join('; ')})`;
      return [`${mutant.kind} ${mutant.member}: ${verdict}: ${mutant.text.slice(0, 2000)}`];
    });
    expect(apart).toEqual([]);
  });

  it('what_is_refused_is_named_by_its_member', () => {
    const unnamed = drawn.flatMap(({ kind, member, text }) => {
      const problems = problemsOf(read, text);
      return problems === null || problems.some(problem => problem.includes(member)) ? [] : [`${kind} ${member}: ${problems.join('; ')}`];
    });
    expect(unnamed).toEqual([]);
  });

  it('the_mutants_are_many_and_of_every_kind', () => {
    expect(drawn.length).toBeGreaterThanOrEqual(200);
    for (const kind of KINDS) expect(drawn.filter(mutant => mutant.kind === kind && !isValid(mutant)).length, kind).toBeGreaterThan(1);
    expect(drawn.filter(isValid).length).toBeGreaterThan(5);
  });

  it('five_mistakes_are_five_problems', () => {
    const { members, text } = withMistakes(value, 5, text => problemsOf(read, text) !== null);
    expect(members.length).toBe(example === 'plan.json' ? 3 : 5);    // no more of a plan is read here
    for (const member of members) expect(problemsOf(read, text)).toContainEqual(expect.stringContaining(`${member}: `));
  });
});
