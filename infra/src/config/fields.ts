/** Reads the members of one object and writes every problem down, so that people see all of them at once. */
export class Fields {
  private readonly known = new Set<string>();

  constructor(private readonly path: string, private readonly values: Readonly<Record<string, unknown>>, readonly problems: string[]) {}

  has(key: string): boolean {
    this.known.add(key);
    return (this.values[key] ?? undefined) !== undefined;
  }

  /** `hint` completes "is not …"; values are echoed, so never read a secret with this. */
  text(key: string, hint: string, valid: RegExp | ((text: string) => boolean), fallback?: string): string {
    const value = this.value(key, hint, fallback);
    if (value === undefined) return '';
    const ok = typeof value === 'string' && (valid instanceof RegExp ? valid.test(value) : valid(value));
    if (!ok) this.refuse(key, `${shown(value)} is not ${hint}`);
    return String(value);
  }

  /** Text that is never shown, because it may be a secret; nothing when it is missing or no text. */
  quiet(key: string, hint: string): string | undefined {
    const value = this.value(key, hint, undefined);
    if (value !== undefined && typeof value !== 'string') this.refuse(key, `not text; wanted is ${hint}`);
    return typeof value === 'string' ? value : undefined;
  }

  /** A whole number from `least` to `most`; text such as "3" is accepted because `pulumi config set` stores text. */
  whole(key: string, [least, most]: readonly [number, number], fallback?: number): number {
    const hint = `a whole number from ${least} to ${most}`;
    const value = this.value(key, hint, fallback);
    if (value === undefined) return NaN;
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number;
    this.refuse(key, `${shown(value)} is not ${hint}`);
    return NaN;
  }

  list(key: string, [least, most]: readonly [number, number], what: string, fallback?: readonly unknown[]): readonly unknown[] {
    const hint = least === 0 ? `a list of at most ${most} ${what}` : `a list of ${least} to ${most} ${what}`;
    const value = this.value(key, hint, fallback);
    if (value === undefined) return [];
    if (!Array.isArray(value)) { this.refuse(key, `${shown(value)} is not ${hint}`); return []; }
    if (value.length < least || value.length > most) this.refuse(key, `${value.length} entries, not ${hint}`);
    return value.length > most ? [] : value;
  }

  /** Checks every entry of a list of texts; the problem names the entry. */
  texts(key: string, bounds: readonly [number, number], hint: string, valid: (text: string) => boolean): readonly string[] {
    const found = this.list(key, bounds, `entries, each ${hint}`, bounds[0] === 0 ? [] : undefined);
    found.forEach((entry, i) => {
      if (typeof entry !== 'string' || !valid(entry)) this.refuse(`${key}[${i}]`, `${shown(entry)} is not ${hint}`);
    });
    return found.map(String);
  }

  /** A missing object is an empty one: its own members say what is missing. */
  object(key: string): Fields {
    this.known.add(key);
    return Fields.of(this.at(key), this.values[key] ?? {}, this.problems);
  }

  /** Says which members nobody asked for; call it last. */
  refuseUnknown(): void {
    const known = [...this.known].sort();
    for (const key of Object.keys(this.values)) if (!this.known.has(key)) this.refuse(key, `unknown; known are ${known.join(', ')}`);
  }

  refuse(key: string, why: string): void { this.problems.push(`${this.at(key)}: ${why}`); }

  static of(path: string, value: unknown, problems: string[]): Fields {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new Fields(path, value as Record<string, unknown>, problems);
    problems.push(`${path}: ${shown(value)} is not an object`);
    return new Fields(path, {}, []);    // that its members are missing is no news
  }

  private value(key: string, hint: string, fallback: unknown): unknown {
    this.known.add(key);
    const value = this.values[key] ?? fallback;
    if (value === undefined) this.refuse(key, `missing (${hint})`);
    return value;
  }

  private at(key: string): string { return this.path === '' ? key : `${this.path}.${key}`; }
}

function shown(value: unknown): string { return (JSON.stringify(value) ?? String(value)).slice(0, 80); }
