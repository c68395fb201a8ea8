// How long events are kept, by their names.

import { durationType, type SettingType } from "../config/setting-types.ts";
import { RESOURCE_PREFIXES } from "./resource-labels.ts";

/** How long events are kept. All spans are milliseconds. */
export interface EventRetention {
  /** Where nothing else is said. */
  readonly keepMs: number;
  /** As the setting has them: `order.*=90d`. */
  readonly byName?: readonly string[] | null;
}

/** What to do with each name. */
export interface RetentionByName {
  /** How long events of this name are kept. */
  readonly keepMsOf: (name: string) => number;
  /** Every span that occurs, each once. */
  readonly spans: readonly number[];
}

interface NameKeeping {
  readonly name: string;
  /** Whether other characters may follow. */
  readonly isPrefix: boolean;
  readonly keepMs: number;
}

const MAX_ENTRIES = 100;
const MAX_NAME = 1024;
const MINUTE_MS = 60_000;
const MAX_KEEP_MS = 3650 * 24 * 60 * MINUTE_MS;
/** Names come from outside, and each is looked up once. */
const MAX_KNOWN = 10_000;

function receiveEntry(text: string): NameKeeping | undefined {
  const [, written = "", star, span = ""] = /^([^=*]*)(\*?)=(.+)$/u.exec(text.trim()) ?? [];
  const keepMs = durationType.parse(span, {});
  const isNamed = written !== "" && written.length <= MAX_NAME;
  if (!isNamed || keepMs === undefined || keepMs < MINUTE_MS || keepMs > MAX_KEEP_MS) return;
  return { name: written, isPrefix: star === "*", keepMs };
}

const writeEntry = ({ name, isPrefix, keepMs }: NameKeeping): string =>
  `${name}${isPrefix ? "*" : ""}=${durationType.format(keepMs)}`;

/** Names of events, each with how long it is kept. */
export const spansByName: SettingType<readonly string[]> = {
  expected: `a comma-separated list of at most ${MAX_ENTRIES} names, or beginnings of names, with a duration from 1m to 3650d each, such as order.*=90d, door.opened=1h`,
  parse(given) {
    const entries = given.split(",").map(receiveEntry);
    const known = entries.filter((entry) => entry !== undefined);
    if (known.length !== entries.length || known.length > MAX_ENTRIES) return undefined;
    return Object.freeze(known.map(writeEntry));
  },
  format: (value) => value.join(","),
};

/** The longest name or beginning that fits decides; a whole name before a beginning. */
export function readRetention({ keepMs, byName }: EventRetention): RetentionByName {
  const entries = (byName ?? [])
    .flatMap((text) => receiveEntry(text) ?? [])
    .map((entry) => ({ ...entry, name: oneForm(entry.name) }))
    .sort((a, b) => b.name.length - a.name.length || Number(a.isPrefix) - Number(b.isPrefix));
  const known = new Map<string, number>();
  const find = (name: string): number =>
    entries.find((entry) => (entry.isPrefix ? name.startsWith(entry.name) : name === entry.name))
      ?.keepMs ?? keepMs;
  return {
    keepMsOf(name) {
      const before = known.get(name);
      if (before !== undefined) return before;
      if (known.size >= MAX_KNOWN) known.clear();
      const found = find(oneForm(name));
      known.set(name, found);
      return found;
    },
    spans: [...new Set([keepMs, ...entries.map((entry) => entry.keepMs)])],
  };
}

/** The server's own names begin in one of several ways that mean the same. */
function oneForm(name: string): string {
  const [first, ...others] = RESOURCE_PREFIXES;
  const other = others.find((prefix) => name.startsWith(`${prefix}.`));
  return other === undefined ? name : `${first}${name.slice(other.length)}`;
}
