import type { Action, File, Files, Workflow } from './files.ts';

/** One of zizmor's questions, asked here without zizmor. A finding is fixed, or excepted on its own line with a reason: `# zizmor: ignore[name] why`. */
export interface Audit {
  readonly name: string;
  readonly why: string;
  /** What finds it in a line of a workflow or an action; comments are cut off before. */
  readonly line: RegExp;
}

export const AUDITS: readonly Audit[] = [
  { name: 'dangerous-triggers', why: 'strangers start it, and it runs with our rights', line: /\b(pull_request_target|workflow_run|issue_comment|discussion_comment|issues)\b(?!: *(read|write|none)\b):?(?= *[{\],:]|$)/ },
  { name: 'self-hosted-runner', why: 'what runs there may stay there, and everybody may ask for it', line: /^ {4}runs-on: (?!(ubuntu|windows|macos)-[0-9.]+ *$)/ },
  { name: 'github-env', why: 'what a step writes there changes every step after it', line: /GITHUB_(ENV|PATH)\b/ },
  { name: 'insecure-commands', why: 'whatever prints can then set variables', line: /ACTIONS_ALLOW_UNSECURE_COMMANDS/ },
  { name: 'overprovisioned-secrets', why: 'all secrets at once, also those of tomorrow', line: /toJSON\(\s*secrets\b|secrets\[/i },
  { name: 'secrets-inherit', why: 'the called workflow gets what it never asked for', line: /secrets: *inherit/ },
  { name: 'bot-conditions', why: 'who acted last is not who wrote it', line: /github\.(triggering_)?actor\b/ },
  { name: 'unsound-contains', why: 'a part of a list\'s text is contained in it, too', line: /contains\(\s*'[^']*[ ,/]/ },
  { name: 'unredacted-secrets', why: 'a member of a secret is not masked in the log', line: /fromJSON\(\s*secrets\b/i },
  { name: 'hardcoded-container-credentials', why: 'the file is public', line: /^ *password: *["']?(?!\$\{\{)[^\s"']/ },
  { name: 'cache-poisoning', why: 'the cache is shared with jobs that run strangers\' code', line: /actions\/cache\b|^ *cache: |[{,] *cache: / },
  { name: 'undocumented-write', why: 'a right to change something says what it changes', line: /\b(contents|packages|deployments|statuses|security-events|issues|attestations): *write/ },
];

export interface Finding { readonly audit: string; readonly at: string; readonly excepted: string | null }

const EXCEPTION = /# zizmor: ignore\[([a-z-]+)\](?: +(.*))?$/;

/** Every line that an audit finds, and what its exception says. */
export const findings = (files: Files): Finding[] => lines(files).flatMap(({ at, code, name, reason }) =>
  AUDITS.filter(audit => audit.line.test(code)).map(audit => ({ audit: audit.name, at, excepted: name === audit.name ? reason : null })));

/** Exceptions that except nothing, or say no reason. */
export const idle = (files: Files): string[] => lines(files).filter(({ code, name, reason }) =>
  name !== null && (reason.split(' ').length < 5 || !AUDITS.some(audit => audit.name === name && audit.line.test(code)))).map(({ at }) => at);

function lines(files: Files): { at: string; code: string; name: string | null; reason: string }[] {
  return [...files.workflows, ...files.actions].flatMap(({ path, text }: File<Workflow | Action>) => text.split('\n').map((line, index) => {
    const [, name = null, reason = ''] = EXCEPTION.exec(line) ?? [];
    return { at: `${path}, line ${index + 1}`, code: line.replace(/(^|\s)#.*$/, '').trimEnd(), name, reason };
  }));
}
