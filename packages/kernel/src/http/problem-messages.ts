import { withoutFraction } from "@orchestrator/exact-json";
import type { ErrorObject } from "ajv";
import type { Bound, LaxErrorParams, LaxKind } from "./lax-keyword.ts";

/**
 * What one validator error is called and says, in the vocabulary clients of this kind of API know.
 */
export interface ProblemText {
  readonly type: string;
  readonly msg: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

const TYPE_TEXTS: Readonly<Record<string, ProblemText>> = {
  string: { type: "string_type", msg: "Input should be a valid string" },
  array: { type: "list_type", msg: "Input should be a valid list" },
  object: { type: "dict_type", msg: "Input should be a valid dictionary" },
  number: { type: "float_type", msg: "Input should be a valid number" },
  integer: { type: "int_type", msg: "Input should be a valid integer" },
  boolean: { type: "bool_type", msg: "Input should be a valid boolean" },
  null: { type: "none_required", msg: "Input should be None" },
};

const BOUND_TEXTS: Readonly<Record<Bound, readonly [type: string, words: string, key: string]>> = {
  minimum: ["greater_than_equal", "greater than or equal to", "ge"],
  maximum: ["less_than_equal", "less than or equal to", "le"],
  exclusiveMinimum: ["greater_than", "greater than", "gt"],
  exclusiveMaximum: ["less_than", "less than", "lt"],
};

const COMPARISONS: Readonly<Record<string, Bound>> = {
  minimum: "minimum",
  maximum: "maximum",
  exclusiveMinimum: "exclusiveMinimum",
  exclusiveMaximum: "exclusiveMaximum",
};

const TOO_LONG: ProblemText = {
  type: "int_parsing_size",
  msg: "Input should be a valid integer within ±9007199254740991",
};

const CHOICES_SHOWN = 40;

export function describeProblem(error: ErrorObject, input: unknown): ProblemText {
  const params = error.params as Readonly<Record<string, unknown>>;
  const bound = COMPARISONS[error.keyword];
  if (bound !== undefined) return boundText(bound, params["limit"]);
  switch (error.keyword) {
    case "lax":
      return laxText(error.params as LaxErrorParams, withoutFraction(input));
    case "type":
    case "scalarTypes":
      return typeof input === "bigint" && takesNumber(params["type"])
        ? TOO_LONG
        : typeText(params["type"]);
    case "required":
    case "dependentRequired":
    case "dependencies":
      return { type: "missing", msg: "Field required" };
    case "additionalProperties":
    case "unevaluatedProperties":
    case "false schema":
      return { type: "extra_forbidden", msg: "Extra inputs are not permitted" };
    case "enum":
      return choiceText("enum", params["allowedValues"] as readonly unknown[]);
    case "const":
      return choiceText("literal_error", [params["allowedValue"]]);
    case "pattern":
      return patternText(String(params["pattern"]));
    case "multipleOf":
      return multipleText(params["multipleOf"]);
    case "discriminator":
      return tagText(params);
    case "synonyms":
      return synonymText(params["synonyms"] as Readonly<Record<string, string>>);
    default:
      return sizeText(error.keyword, Number(params["limit"])) ?? otherText(error.keyword);
  }
}

function typeText(wanted: unknown): ProblemText {
  const types = (Array.isArray(wanted) ? wanted : String(wanted).split(",")).map(String);
  const named = types.filter((type) => type !== "null");
  const texts = (named.length === 0 ? ["null"] : named).map((type) => TYPE_TEXTS[type]);
  const [first = TYPE_TEXTS["null"]] = texts;
  if (first === undefined) return otherText("type");
  if (texts.length === 1) return first;
  const words = texts.map((text) => text?.msg.slice("Input should be ".length) ?? "");
  return { type: first.type, msg: `Input should be ${joinWords(words)}` };
}

function laxText({ problem, limit }: LaxErrorParams, input: unknown): ProblemText {
  const isText = typeof input === "string";
  const bound = COMPARISONS[problem];
  if (bound !== undefined) return boundText(bound, limit);
  switch (problem as LaxKind) {
    case "uuid":
      return { type: isText ? "uuid_parsing" : "uuid_type", msg: "Input should be a valid UUID" };
    case "date-time":
      return {
        type: isText || isNumber(input) ? "datetime_parsing" : "datetime_type",
        msg: "Input should be a valid datetime",
      };
    case "duration":
      return {
        type: isText ? "time_delta_parsing" : "time_delta_type",
        msg: "Input should be a valid duration",
      };
    case "boolean":
      return isText || isNumber(input)
        ? {
            type: "bool_parsing",
            msg: "Input should be a valid boolean, unable to interpret input",
          }
        : { type: "bool_type", msg: "Input should be a valid boolean" };
    case "number":
      return isText
        ? {
            type: "float_parsing",
            msg: "Input should be a valid number, unable to parse string as a number",
          }
        : { type: "float_type", msg: "Input should be a valid number" };
    case "integer":
      return integerText(input);
  }
}

function integerText(input: unknown): ProblemText {
  if (typeof input === "string" && !/^\s*[+-]?\d+\s*$/.test(input)) {
    const msg = "Input should be a valid integer, unable to parse string as an integer";
    return { type: "int_parsing", msg };
  }
  if (typeof input === "number" && !Number.isInteger(input)) {
    const msg = "Input should be a valid integer, got a number with a fractional part";
    return { type: "int_from_float", msg };
  }
  if (isNumber(input) || typeof input === "string") return TOO_LONG;
  return { type: "int_type", msg: "Input should be a valid integer" };
}

function takesNumber(types: unknown): boolean {
  return [types].flat().some((type) => type === "number" || type === "integer");
}

function isNumber(input: unknown): boolean {
  return typeof input === "number" || typeof input === "bigint";
}

function boundText(bound: Bound, limit: unknown): ProblemText {
  const [type, words, key] = BOUND_TEXTS[bound];
  return { type, msg: `Input should be ${words} ${String(limit)}`, ctx: { [key]: limit } };
}

function multipleText(factor: unknown): ProblemText {
  return {
    type: "multiple_of",
    msg: `Input should be a multiple of ${String(factor)}`,
    ctx: { multiple_of: factor },
  };
}

function patternText(pattern: string): ProblemText {
  const msg = `String should match pattern '${pattern}'`;
  return { type: "string_pattern_mismatch", msg, ctx: { pattern } };
}

function choiceText(type: string, choices: readonly unknown[]): ProblemText {
  const expected = joinWords(quotedWords(choices.filter((choice) => choice !== null)));
  return { type, msg: `Input should be ${expected}`, ctx: { expected } };
}

/** Not more of them than somebody would read. */
function quotedWords(values: readonly unknown[]): readonly string[] {
  const words = values.map(
    (value) => `'${typeof value === "string" ? value : JSON.stringify(value)}'`,
  );
  return words.length > CHOICES_SHOWN ? [...words.slice(0, CHOICES_SHOWN), "…"] : words;
}

function tagText(params: Readonly<Record<string, unknown>>): ProblemText {
  const discriminator = `'${String(params["tag"])}'`;
  if (params["error"] === "tag") {
    const msg = `Unable to extract tag using discriminator ${discriminator}`;
    return { type: "union_tag_not_found", msg, ctx: { discriminator } };
  }
  const tag = String(params["tagValue"]).slice(0, 100);
  const expected_tags = quotedWords(params["tags"] as readonly unknown[]).join(", ");
  const msg = `Input tag '${tag}' found using ${discriminator} does not match any of the expected tags: ${expected_tags}`;
  return { type: "union_tag_invalid", msg, ctx: { discriminator, tag, expected_tags } };
}

function synonymText(synonyms: Readonly<Record<string, string>>): ProblemText {
  const pairs = Object.entries(synonyms).map(([other, name]) => `'${other}' or '${name}'`);
  return { type: "value_error", msg: `Value error, give either ${pairs.join(", either ")}` };
}

function sizeText(keyword: string, limit: number): ProblemText | undefined {
  const counted = (what: string): string => `${limit} ${what}${limit === 1 ? "" : "s"}`;
  switch (keyword) {
    case "minLength":
      return {
        type: "string_too_short",
        msg: `String should have at least ${counted("character")}`,
        ctx: { min_length: limit },
      };
    case "maxLength":
      return {
        type: "string_too_long",
        msg: `String should have at most ${counted("character")}`,
        ctx: { max_length: limit },
      };
    case "minItems":
    case "minProperties": {
      const msg = `${collection(keyword)} should have at least ${counted("item")}`;
      return { type: "too_short", msg, ctx: { min_length: limit } };
    }
    case "maxItems":
    case "maxProperties": {
      const msg = `${collection(keyword)} should have at most ${counted("item")}`;
      return { type: "too_long", msg, ctx: { max_length: limit } };
    }
    case "maxBytes":
      return {
        type: "string_too_long",
        msg: `String should take at most ${counted("byte")} as UTF-8`,
        ctx: { max_length: limit },
      };
    case "maxJsonLength":
      return {
        type: "value_error",
        msg: `Value error, the value should take at most ${counted("character")} as JSON`,
        ctx: { max_length: limit },
      };
    default:
      return undefined;
  }
}

function collection(keyword: string): string {
  return keyword.endsWith("Items") ? "List" : "Dictionary";
}

function otherText(keyword: string): ProblemText {
  if (keyword === "uniqueItems") {
    return { type: "value_error", msg: "Value error, items must not be repeated" };
  }
  return { type: "value_error", msg: "Value error, the value is not allowed here" };
}

function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}
