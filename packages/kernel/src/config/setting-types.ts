import { homedir } from "node:os";
import { join, resolve } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

export type SettingValue = string | number | boolean | readonly string[];

/** How the text of a setting becomes a value. */
export interface SettingType<T extends SettingValue> {
  /**
   * The form a valid value has, worded to follow "expected" in an error and to stand alone in the
   * reference.
   */
  readonly expected: string;
  /** The value, or undefined when the text does not have the expected form. */
  readonly parse: (text: string, env: Env) => T | undefined;
  /** The value as someone would write it in a setting. */
  readonly format: (value: T) => string;
}

export const textType: SettingType<string> = {
  expected: "text that is not empty",
  parse: (given) => (given === "" ? undefined : given),
  format: (value) => value,
};

export function integer(min: number, max: number): SettingType<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    parse: (given) =>
      /^[+-]?\d+$/.test(given.trim()) ? within(Number(given), min, max) : undefined,
    format: String,
  };
}

export const port: SettingType<number> = {
  ...integer(0, 65_535),
  expected: "a port number from 0 to 65535 (0 takes any free port)",
};

const FLAG_WORDS = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["false", false],
  ["0", false],
  ["no", false],
]);

export const flagType: SettingType<boolean> = {
  expected: "true or false (also 1 or 0, yes or no)",
  parse: (given) => FLAG_WORDS.get(given.trim().toLowerCase()),
  format: String,
};

const MS_PER_UNIT = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const BYTES_PER_UNIT = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 } as const;

/** A span of time; the value is in milliseconds. */
export const durationType: SettingType<number> = {
  expected: "a duration such as 500ms, 30s, 5m, 2h or 7d (a plain number counts seconds)",
  parse: (given) => parseQuantity(given, MS_PER_UNIT, "s"),
  format: (ms) => formatQuantity(ms, MS_PER_UNIT, "ms"),
};

/** A span of time within bounds that are themselves part of the range; all in milliseconds. */
export function durationBetween(minMs: number, maxMs: number): SettingType<number> {
  return between(durationType, minMs, maxMs);
}

/** An amount of data; the value is in bytes. */
export const byteSize: SettingType<number> = {
  expected: "a size such as 512KiB, 1MiB or 2GiB (a plain number counts bytes)",
  parse: (given) => parseQuantity(given, BYTES_PER_UNIT, "B"),
  format: (bytes) => (bytes === 0 ? "0" : formatQuantity(bytes, BYTES_PER_UNIT, "B")),
};

/** An amount of data within bounds that are themselves part of the range; all in bytes. */
export function byteSizeBetween(minBytes: number, maxBytes: number): SettingType<number> {
  return between(byteSize, minBytes, maxBytes);
}

export function choice<const T extends string>(options: readonly T[]): SettingType<T> {
  return {
    expected: `one of ${options.join(", ")}`,
    parse: (given) => pickOption(options, given),
    format: (value) => value,
  };
}

export function choices<const T extends string>(options: readonly T[]): SettingType<readonly T[]> {
  return {
    expected: `a comma-separated list of ${options.join(", ")} (at least one, none twice)`,
    parse(given) {
      const picked = given.split(",").map((item) => pickOption(options, item));
      const known = picked.filter((item) => item !== undefined);
      const isWhole = known.length === picked.length && new Set(known).size === known.length;
      return isWhole ? Object.freeze(known) : undefined;
    },
    format: (value) => value.join(","),
  };
}

/** The address stays the text that was given: a parsed one would lose how it was written. */
export function url(schemes: readonly string[]): SettingType<string> {
  return {
    expected: `a URL that begins with ${schemes.map((scheme) => `${scheme}:`).join(" or ")}`,
    parse(given) {
      const address = given.trim();
      if (!URL.canParse(address)) return undefined;
      const scheme = new URL(address).protocol.slice(0, -1);
      const hasHost = !/^(?:https?|wss?)$/.test(scheme) || /^[a-z]+:\/\/[^/]/i.test(address);
      return schemes.includes(scheme) && hasHost ? address : undefined;
    },
    format: (value) => value,
  };
}

/** Where web pages come from: scheme, host and port, as browsers write it. */
const NO_ORIGINS: readonly string[] = Object.freeze([]);

export const webOrigins: SettingType<"*" | readonly string[]> = {
  expected:
    "none, * for all, or a comma-separated list of origins such as https://app.example:8443",
  parse(given) {
    if (given.trim() === "*") return "*";
    if (given.trim() === "none") return NO_ORIGINS;
    const origins = given.split(",").map((item) => item.trim());
    const isWhole = origins.every((item) => URL.canParse(item) && new URL(item).origin === item);
    return isWhole ? Object.freeze(origins) : undefined;
  },
  format: (value) => (value === "*" ? value : value.join(",") || "none"),
};

export const folder: SettingType<string> = {
  expected: "the path of a folder (~ is the home folder)",
  parse(given, env) {
    const path = given.trim();
    if (path === "" || path.includes("\0")) return undefined;
    if (path === "~") return userHomeFolder(env);
    return /^~[/\\]/.test(path) ? join(userHomeFolder(env), path.slice(2)) : resolve(path);
  },
  format: (value) => value,
};

/** For defaults that live in the home folder of whoever starts the process. */
export function userHomeFolder(env: Env): string {
  return env["HOME"] || env["USERPROFILE"] || homedir();
}

function within(value: number, min: number, max: number): number | undefined {
  return Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined;
}

function between(type: SettingType<number>, min: number, max: number): SettingType<number> {
  return {
    ...type,
    expected: `${type.expected} from ${type.format(min)} to ${type.format(max)}`,
    parse(given, env) {
      const value = type.parse(given, env);
      return value === undefined ? undefined : within(value, min, max);
    },
  };
}

function pickOption<T extends string>(options: readonly T[], given: string): T | undefined {
  const wanted = given.trim().toLowerCase();
  return options.find((option) => option.toLowerCase() === wanted);
}

type Units = Readonly<Record<string, number>>;

function parseQuantity(given: string, units: Units, plainUnit: string): number | undefined {
  const [, amount, unit = plainUnit] = /^(\d+(?:\.\d+)?) *([a-z]+)?$/i.exec(given.trim()) ?? [];
  const size = Object.entries(units).find(
    ([name]) => name.toLowerCase() === unit.toLowerCase(),
  )?.[1];
  if (amount === undefined || size === undefined) return undefined;
  return within(Math.round(Number(amount) * size), 0, Number.MAX_SAFE_INTEGER);
}

/** In the largest unit that needs no fraction, so that reading it back gives the same value. */
function formatQuantity(value: number, units: Units, smallest: string): string {
  const largestFirst = Object.entries(units).reverse();
  const fitting = largestFirst.find(([, size]) => value >= size && value % size === 0);
  const [name, size] = fitting ?? [smallest, 1];
  return `${value / size}${name}`;
}
