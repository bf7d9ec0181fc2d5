/** What an HTTP action gets back; no status is a connection that was lost. */
export interface Answer { readonly status?: number; readonly body?: unknown }

export interface Surroundings {
  /** Milliseconds since 1970. */
  now: number;
  readonly call: (method: string, uri: string, authentication: unknown) => Answer;
}

type Status = 'Succeeded' | 'Failed' | 'Skipped';
type Action = Readonly<Record<string, any>>;

/**
 * The part of Azure's language for workflows that the lab's watchdog uses, as its reference says it (Microsoft, "Schema reference guide for the Workflow
 * Definition Language", "Reference guide to functions"): what is not played here is refused. Azure itself has not run it.
 */
export class WorkflowRun {
  private readonly done = new Map<string, { readonly status: Status; readonly body?: unknown }>();
  constructor(private readonly around: Surroundings) {}

  /** Runs the actions in the order of `runAfter`; true when all succeeded. */
  run(actions: Readonly<Record<string, Action>>): boolean {
    const left = new Map(Object.entries(actions));
    while (left.size > 0) {
      const [name, action] = [...left].find(([, { runAfter = {} }]) => Object.keys(runAfter).every(other => this.done.has(other))) ?? refuse(`the order of ${[...left.keys()].join()}`);
      left.delete(name);
      const isDue = Object.entries<string[]>(action['runAfter'] ?? {}).every(([other, wanted]) => wanted.includes(this.done.get(other)!.status));
      this.done.set(name, isDue ? this.one(action) : { status: 'Skipped' });
    }
    return Object.keys(actions).every(name => this.done.get(name)?.status === 'Succeeded');
  }

  private one({ type, inputs, expression, actions, operationOptions }: Action): { readonly status: Status; readonly body?: unknown } {
    switch (type) {
      case 'Http': {
        if (operationOptions !== 'DisableAsyncPattern') refuse('an HTTP action that follows operations');
        const { status = 0, body } = this.around.call(inputs.method, inputs.uri, inputs.authentication);
        return { status: status >= 200 && status < 300 ? 'Succeeded' : 'Failed', body };
      }
      case 'Wait': {
        const { count, unit } = inputs.interval;
        this.around.now += count * ({ Second: 1_000, Minute: 60_000, Hour: 3_600_000 }[unit as string] ?? refuse(unit));
        return { status: 'Succeeded' };
      }
      case 'If':
        try {
          if (!this.condition(expression)) return { status: 'Succeeded' };
        } catch (error) {
          if (error instanceof BadExpression) return { status: 'Failed' };
          throw error;
        }
        return { status: this.run(actions) ? 'Succeeded' : 'Failed' };
      default: return refuse(`the action ${type}`);
    }
  }

  private condition(of: unknown): boolean {
    const [[word, parts] = refuse('an empty condition'), ...more] = Object.entries(of as Record<string, unknown>);
    if (more.length > 0) refuse('a condition of two words');
    if (word === 'and') return (parts as unknown[]).every(part => this.condition(part));
    if (word === 'not') return !this.condition(parts);
    const [a, b] = (parts as unknown[]).map(part => typeof part === 'string' && part.startsWith('@') ? new Reader(part.slice(1), this.functions).value() : part);
    if (word === 'equals') return a === b;
    // Numbers or texts, and both of one kind.
    if (typeof a !== 'string' || typeof b !== 'string') throw new BadExpression(`${word} of ${typeof a} and ${typeof b}`);
    return word === 'greater' ? a > b : word === 'lessOrEquals' ? a <= b : refuse(word);
  }

  private readonly functions: Functions = {
    body: name => this.done.get(String(name))?.body ?? null,
    coalesce: (...values) => values.find(value => value !== null && value !== undefined) ?? null,
    split: (text, by) => { if (typeof text !== 'string') throw new BadExpression('split of no text'); return text.split(String(by)); },
    last: list => (Array.isArray(list) ? list.at(-1) : refuse('last of no list')),
    utcNow: format => stamp(this.around.now, format),
    addHours: (time, hours, format) => stamp(Date.parse(String(time)) + Number(hours) * 3_600_000, format),
  };
}

type Functions = Readonly<Record<string, (...values: unknown[]) => unknown>>;
/** What Azure says of an expression only when it meets the value: the action has failed. */
class BadExpression extends Error {}

function stamp(at: number, format: unknown): string {
  if (format !== undefined && format !== 'yyyy-MM-ddTHH:mm:ssZ') refuse(`the format ${String(format)}`);
  return new Date(at).toISOString().replace(/\.\d+Z$/, format === undefined ? '.0000000Z' : 'Z');
}

/** `f('a', 7)?['b']` */
class Reader {
  private at = 0;
  constructor(private readonly text: string, private readonly functions: Functions) {}

  value(): unknown {
    const found = this.part();
    if (this.at < this.text.length) refuse(this.text.slice(this.at));
    return found;
  }

  private part(): unknown {
    const text = this.take(/'([^']*)'/y);
    if (text) return text[1];
    const number = this.take(/\d+/y);
    if (number) return Number(number[0]);
    const name = this.take(/([A-Za-z]+)\(/y)?.[1] ?? refuse(this.text.slice(this.at)), given: unknown[] = [];
    while (!this.take(/\)/y)) { given.push(this.part()); this.take(/, ?/y); }
    let value = (this.functions[name] ?? refuse(`the function ${name}`))(...given);
    // `?[…]` of nothing is nothing; of a text or a list it is an error.
    for (let key = this.take(/\?\['([^']*)'\]/y); key; key = this.take(/\?\['([^']*)'\]/y)) {
      if (value === null || value === undefined) value = null;
      else if (typeof value !== 'object' || Array.isArray(value)) throw new BadExpression(`${key[1]} of ${typeof value}`);
      else value = (value as Record<string, unknown>)[key[1]!] ?? null;
    }
    return value;
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }
}

function refuse(what: string): never { throw new Error(`not played here: ${what}`); }
