import { isMap } from "@orchestrator/exact-json";
import type { SchemaCheck, ValidationRun } from "./check-run.ts";
import { type AnyNumber, exactNumberOf, isMultiple, isWhole } from "./exact-numbers.ts";
import { FORMATS } from "./formats.ts";
import { comparableJson } from "./json-equality.ts";
import { type Keyword, type SchemaNode, schemaValueText, wrong } from "./keyword.ts";
import { compilePattern, type Pattern } from "./patterns.ts";
import { badSchema, SchemaProblem } from "./schema-problem.ts";

// The keywords that look at a value as it is, without schemas of their own.

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  number: (value) => exactNumberOf(value) !== null,
  integer: isWhole,
  array: (value) => Array.isArray(value),
  object: isMap,
};

const type: Keyword = (value, node) => {
  const names = [...new Set<unknown>(Array.isArray(value) ? value : [value])];
  const tests = names.map((name) => {
    const test = typeof name === "string" && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
    if (test === undefined) {
      throw wrong(
        node,
        "type",
        `${schemaValueText(name)} is none of ${Object.keys(TYPES).join(", ")}`,
      );
    }
    return test;
  });
  const types = names as string[];
  const message = `must be ${types.join(" or ")}`;
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) {
    return (given, run) => only(given) || run.fail(message, { types });
  }
  return (given, run) => tests.some((test) => test(given)) || run.fail(message, { types });
};

/** A wrong word nearly always means that another branch of a union was meant. */
const WRONG_WORD = 100;
const WORDS_SHOWN = 20;
/** Writing a value down costs work as well. */
const CHARACTERS_PER_STEP = 10;

const enumeration: Keyword = (value, node) => {
  if (!Array.isArray(value)) throw wrong(node, "enum", "must be a list");
  const allowed = new Set(value.map(comparableJson));
  const words = value.slice(0, WORDS_SHOWN).map(schemaValueText);
  const more = value.length > WORDS_SHOWN ? `, and ${value.length - WORDS_SHOWN} more` : "";
  return isOneOf(allowed, `must be one of ${words.join(", ")}${more}`);
};

const constant: Keyword = (value) =>
  isOneOf(new Set([comparableJson(value)]), `must be ${schemaValueText(value)}`);

function isOneOf(allowed: ReadonlySet<string>, message: string): SchemaCheck {
  const isScalar = [...allowed].every((text) => !text.startsWith("{") && !text.startsWith("["));
  return (given, run) => {
    if (isScalar && typeof given === "object" && given !== null) {
      return run.fail(message, { distance: WRONG_WORD });
    }
    if (!isScalar) run.needThread();
    const text = comparableJson(given);
    run.spend(text.length / CHARACTERS_PER_STEP);
    return allowed.has(text) || run.fail(message, { distance: WRONG_WORD });
  };
}

function numberRule(
  fits: (value: AnyNumber, limit: AnyNumber) => boolean,
  words: string,
): NamedRule {
  return (keyword) => (given, node) => {
    const limit = exactNumberOf(given);
    if (limit === null) throw wrong(node, keyword, "must be a number");
    if (keyword === "multipleOf" && limit <= 0) throw wrong(node, keyword, "must be more than 0");
    const message = `must be ${words} ${limit}`;
    return (value, run) => {
      const number = exactNumberOf(value);
      return number === null || fits(number, limit) || run.fail(message);
    };
  };
}

type NamedRule = (keyword: string) => Keyword;

/** The size of what the keyword is about, or null for a value it says nothing about. */
type Measure = (value: unknown, limit: number, run: ValidationRun) => number | null;

const characters: Measure = (value, limit, run) => {
  if (typeof value !== "string") return null;
  // A character outside the basic plane takes two units: counting is needed only in between.
  if (value.length < limit || value.length > 2 * limit + 1) return value.length;
  run.spend(value.length / CHARACTERS_PER_STEP);
  let count = 0;
  for (const _character of value) count += 1;
  return count;
};
const items: Measure = (value) => (Array.isArray(value) ? value.length : null);
const members: Measure = (value, _limit, run) => {
  if (!isMap(value)) return null;
  const { length } = Object.keys(value);
  run.spend(length);
  return length;
};

function sizeRule(measure: Measure, bound: "least" | "most", unit: string): NamedRule {
  return (keyword) => (value, node) => {
    const number = exactNumberOf(value);
    if (number === null || !isWhole(number) || number < 0) {
      throw wrong(node, keyword, "must be a whole number, 0 or more");
    }
    const limit = Number(number);
    const message = `must have at ${bound} ${limit} ${unit}${limit === 1 ? "" : "s"}`;
    return (given, run) => {
      const size = measure(given, limit, run);
      if (size === null || (bound === "least" ? size >= limit : size <= limit)) return true;
      return run.fail(message);
    };
  };
}

const pattern: Keyword = (value, node) => {
  const compiled = readPattern(value, node, "pattern");
  const message = `must match the pattern ${schemaValueText(compiled.source)}`;
  return (text, run) =>
    typeof text !== "string" || run.matches(compiled, text) || run.fail(message);
};

const format: Keyword = (value, { options }) => {
  if (!options.checksFormats || typeof value !== "string") return null;
  const isFormed = Object.hasOwn(FORMATS, value) ? FORMATS[value] : undefined;
  if (isFormed === undefined) return null;
  return (text, run) => {
    if (typeof text !== "string") return true;
    run.spend(text.length / CHARACTERS_PER_STEP);
    return isFormed(text) || run.fail(`must have the format ${value}`);
  };
};

export function readPattern(value: unknown, node: SchemaNode, ...at: string[]): Pattern {
  const place = [...node.place, ...at];
  if (typeof value !== "string") throw badSchema(place, "must be a text");
  try {
    return compilePattern(value);
  } catch (error) {
    throw error instanceof SchemaProblem ? badSchema(place, error.message) : error;
  }
}

const uniqueItems: Keyword = (value) => {
  if (value !== true) return null;
  return (list, run) => {
    if (!Array.isArray(list)) return true;
    run.needThread();
    const texts = list.map((item) => comparableJson(item));
    run.spend(texts.reduce((sum, text) => sum + text.length / CHARACTERS_PER_STEP, texts.length));
    return new Set(texts).size === texts.length || run.fail("must not hold the same item twice");
  };
};

/** A member that is missing or too much may mean that another branch of a union was meant. */
export const WRONG_MEMBER = 3;

const required: Keyword = (value, node) => {
  const names = readNames(value, node, "required");
  if (node.options.ignoreRequired) return null;
  return (given, run) => {
    if (!isMap(given)) return true;
    run.spend(names.length);
    let fits = true;
    for (const name of names) {
      if (!Object.hasOwn(given, name)) fits = run.failAt(name, "is required", WRONG_MEMBER);
    }
    return fits;
  };
};

const dependentRequired: Keyword = (value, node) => {
  if (!isMap(value)) throw wrong(node, "dependentRequired", "must be an object");
  const rules = Object.entries(value).map(
    ([trigger, names]) => [trigger, readNames(names, node, "dependentRequired", trigger)] as const,
  );
  return (given, run) => {
    if (!isMap(given)) return true;
    run.spend(rules.length);
    let fits = true;
    for (const [trigger, names] of rules) {
      if (!Object.hasOwn(given, trigger)) continue;
      run.spend(names.length);
      for (const name of names) {
        if (Object.hasOwn(given, name)) continue;
        fits = run.failAt(
          name,
          `is required where ${schemaValueText(trigger)} is given`,
          WRONG_MEMBER,
        );
      }
    }
    return fits;
  };
};

function readNames(value: unknown, node: SchemaNode, ...at: string[]): readonly string[] {
  if (!Array.isArray(value) || value.some((name) => typeof name !== "string")) {
    throw badSchema([...node.place, ...at], "must be a list of names");
  }
  return [...new Set(value as string[])];
}

const NAMED_RULES: Readonly<Record<string, NamedRule>> = {
  minimum: numberRule((value, limit) => value >= limit, "at least"),
  maximum: numberRule((value, limit) => value <= limit, "at most"),
  exclusiveMinimum: numberRule((value, limit) => value > limit, "more than"),
  exclusiveMaximum: numberRule((value, limit) => value < limit, "less than"),
  multipleOf: numberRule(isMultiple, "a multiple of"),
  minLength: sizeRule(characters, "least", "character"),
  maxLength: sizeRule(characters, "most", "character"),
  minItems: sizeRule(items, "least", "item"),
  maxItems: sizeRule(items, "most", "item"),
  minProperties: sizeRule(members, "least", "member"),
  maxProperties: sizeRule(members, "most", "member"),
};

export const VALUE_KEYWORDS: Readonly<Record<string, Keyword>> = {
  type,
  enum: enumeration,
  const: constant,
  pattern,
  format,
  uniqueItems,
  required,
  dependentRequired,
  ...Object.fromEntries(Object.entries(NAMED_RULES).map(([name, rule]) => [name, rule(name)])),
};
