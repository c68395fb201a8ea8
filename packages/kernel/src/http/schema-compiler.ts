import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { JsonSchema } from "./json-schema.ts";
import { laxKeyword } from "./lax-keyword.ts";
import { maxJsonLengthKeyword } from "./max-json-length-keyword.ts";
import { type PreparedSchema, prepareSchema } from "./validation-schema.ts";
import { variantsKeyword } from "./variants-keyword.ts";

/** A schema ready to judge values. Nothing is compiled before the first value comes. */
export interface CompiledSchema {
  readonly secretKeys: ReadonlySet<string>;
  /** Normalises the value in place. True when it fits; else `explain` or `firstErrors` tells why. */
  readonly accepts: (value: unknown) => boolean;
  /** The errors that made `accepts` return false just now; stops at the first. */
  readonly firstErrors: () => readonly ErrorObject[];
  /** Every error of the value. Dear, and without a bound: for small values only. */
  readonly explain: (value: unknown) => readonly ErrorObject[];
}

export interface SchemaCompiler {
  readonly compile: (schema: JsonSchema) => CompiledSchema;
}

/** The first error is enough to refuse, and code that stops at it is smaller and faster; a second validator explains. */
export function createSchemaCompiler(): SchemaCompiler {
  const known = new WeakMap<JsonSchema, CompiledSchema>();
  const shared = new Map<string, string>();
  const judge = createAjv({ allErrors: false, verbose: false });
  const explainer = createAjv({ allErrors: true, verbose: true });

  const register = (prepared: PreparedSchema): void => {
    for (const [id, schema] of prepared.shared) {
      const text = JSON.stringify(schema);
      const other = shared.get(id);
      if (other === text) continue;
      if (other !== undefined) throw new Error(`Two different schemas have the id ${id}`);
      shared.set(id, text);
      judge.addSchema(schema, id);
      explainer.addSchema(schema, id);
    }
  };

  const build = (schema: JsonSchema): CompiledSchema => {
    const prepared = prepareSchema(schema);
    register(prepared);
    const judgeValue = judge.compile(prepared.schema);
    let explainValue: ValidateFunction | undefined;
    return {
      secretKeys: prepared.secretKeys,
      accepts: judgeValue,
      firstErrors: () => judgeValue.errors ?? [],
      explain: (value) => {
        explainValue ??= explainer.compile(prepared.schema);
        explainValue(value);
        return explainValue.errors ?? [];
      },
    };
  };

  return {
    compile: (schema) => {
      let compiled = known.get(schema);
      if (compiled === undefined) {
        compiled = build(schema);
        known.set(schema, compiled);
      }
      return compiled;
    },
  };
}

function createAjv(options: { readonly allErrors: boolean; readonly verbose: boolean }): Ajv {
  return new Ajv({
    ...options,
    strict: false,
    useDefaults: true,
    discriminator: true,
    validateFormats: false,
    validateSchema: false,
    addUsedSchema: false,
    inlineRefs: false,
    messages: false,
    logger: false,
    keywords: [laxKeyword, maxJsonLengthKeyword, variantsKeyword],
  });
}
