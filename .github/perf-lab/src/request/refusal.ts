/** Every way in which the gate says no, with the exit code of the job. docs/internals/github.md lists what each means. */
export const EXIT_CODES = {
  'pull-request-closed': 20,
  'pull-request-draft': 21,
  'comment-gone': 22,
  'comment-edited': 23,
  'comment-differs': 24,
  'command-form': 25,
  'command-words': 26,
  'not-authorised': 27,
  'requester-changed': 28,
  'fork-needs-sha': 29,
  'fork-needs-permission': 30,
  'fork-deleted': 31,
  'sha-is-not-head': 32,
  'sha-ambiguous': 33,
  'branch-moved': 34,
  'base-changed': 35,
  'unrelated-histories': 36,
  'touches-lab': 37,
  'too-many-files': 38,
  'user-limit': 39,
  'pull-request-limit': 40,
  'already-running': 41,
  'lab-config': 42,
  'unknown-name': 43,
  'nothing-to-cancel': 44,
  'nothing-to-rerun': 45,
  'plan-problems': 46,
  'nothing-to-accept': 47,
  'verdict-outdated': 48,
  'hosted-only': 49,
} as const;

export type RefusalCode = keyof typeof EXIT_CODES;

/** A decision, not a failure: the reply says it. Sentences are ours; what others wrote in them went through text/untrusted.ts. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: RefusalCode;
  readonly sentences: readonly string[];
  /** The grammar follows, where a wrong command was the reason. */
  readonly withHelp: boolean;

  constructor(code: RefusalCode, sentences: string | readonly string[], withHelp = false) {
    super(code);
    this.code = code;
    this.sentences = typeof sentences === 'string' ? [sentences] : sentences;
    this.withHelp = withHelp;
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}
