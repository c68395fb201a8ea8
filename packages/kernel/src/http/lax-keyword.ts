import { withoutFraction } from "@orchestrator/exact-json";
import { _, type Code, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { CANONICAL_TIMESTAMP, normaliseDateTime } from "./lax-date-time.ts";
import { normaliseDuration } from "./lax-duration.ts";
import { normaliseBoolean, normaliseInteger, normaliseNumber } from "./lax-scalar.ts";
import { CANONICAL_UUID, normaliseUuid } from "./lax-uuid.ts";

export const LAX_KINDS = ["uuid", "date-time", "duration", "integer", "number", "boolean"] as const;

export type LaxKind = (typeof LAX_KINDS)[number];

export type Bound = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum";

/** What the keyword holds after a schema was prepared: everything it has to check in one place. */
export interface LaxRule extends Partial<Readonly<Record<Bound, number>>> {
  readonly kind: LaxKind;
  readonly nullable: boolean;
}

/** `problem` is the kind that was expected, or the bound that was broken. */
export interface LaxErrorParams {
  readonly problem: LaxKind | Bound;
  readonly limit?: number;
}

const NORMALISE: Readonly<Record<LaxKind, (value: unknown) => unknown>> = {
  uuid: normaliseUuid,
  "date-time": normaliseDateTime,
  duration: normaliseDuration,
  integer: normaliseInteger,
  number: normaliseNumber,
  boolean: normaliseBoolean,
};

export const BOUNDS: readonly Bound[] = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
];

/**
 * Checks a value of a common kind and writes its one canonical form back in place. A value that is
 * canonical already costs a single test in the generated code. The bounds belong to this keyword
 * because the validator would check `minimum` before a numeric text has become a number.
 */
export const laxKeyword: CodeKeywordDefinition = {
  keyword: "lax",
  schemaType: "object",
  error: {
    message: "does not fit",
    params: ({ params }) => _`{problem: ${params["problem"]}, limit: ${params["limit"]}}`,
  },
  code(cxt: KeywordCxt): void {
    const { gen, data, it } = cxt;
    const rule = cxt.schema as LaxRule;
    const valid = gen.let("valid", true);
    const fail = (problem: Code, limit: Code = _`undefined`): void => {
      cxt.error(false, { problem, limit });
      gen.assign(valid, false);
    };
    gen.if(_`!(${isCanonical(cxt, rule)})`, () => {
      const normalise = gen.scopeValue("func", { ref: NORMALISE[rule.kind] });
      const plain = gen.scopeValue("func", { ref: withoutFraction });
      const found = gen.const("found", _`${normalise}(${plain}(${data}))`);
      gen.if(
        _`${found} === undefined`,
        () => fail(_`${rule.kind}`),
        () => {
          gen.assign(data, found);
          gen.if(_`${it.parentData} !== undefined`, () => {
            gen.assign(_`${it.parentData}[${it.parentDataProperty}]`, found);
          });
        },
      );
    });
    for (const bound of BOUNDS) {
      const limit = rule[bound];
      if (limit === undefined) continue;
      gen.if(_`${valid} && ${isBeyond(data, bound, limit)}`, () => fail(_`${bound}`, _`${limit}`));
    }
    cxt.ok(valid);
  },
};

function isCanonical({ gen, data }: KeywordCxt, rule: LaxRule): Code {
  const canonical = canonicalTest(rule.kind, data, (pattern) => {
    return gen.scopeValue("pattern", { ref: pattern });
  });
  return rule.nullable ? _`${data} === null || ${canonical}` : canonical;
}

function canonicalTest(kind: LaxKind, data: Code, use: (pattern: RegExp) => Code): Code {
  switch (kind) {
    case "uuid":
      return _`typeof ${data} === "string" && ${use(CANONICAL_UUID)}.test(${data})`;
    case "date-time":
      return _`typeof ${data} === "string" && ${use(CANONICAL_TIMESTAMP)}.test(${data})`;
    case "integer":
      return _`Number.isSafeInteger(${data})`;
    case "number":
      return _`typeof ${data} === "number"`;
    case "duration":
      return _`(typeof ${data} === "number" && ${data} >= 0 && ${data} < 1e12)`;
    case "boolean":
      return _`typeof ${data} === "boolean"`;
  }
}

function isBeyond(data: Code, bound: Bound, limit: number): Code {
  switch (bound) {
    case "minimum":
      return _`${data} !== null && ${data} < ${limit}`;
    case "maximum":
      return _`${data} !== null && ${data} > ${limit}`;
    case "exclusiveMinimum":
      return _`${data} !== null && ${data} <= ${limit}`;
    case "exclusiveMaximum":
      return _`${data} !== null && ${data} >= ${limit}`;
  }
}
