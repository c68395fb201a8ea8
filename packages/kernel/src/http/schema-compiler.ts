import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { JsonSchema } from "./json-schema.ts";
import { laxKeyword } from "./lax-keyword.ts";
import { maxBytesKeyword } from "./max-bytes-keyword.ts";
import { maxJsonLengthKeyword } from "./max-json-length-keyword.ts";
import { scalarTypesKeyword } from "./scalar-types-keyword.ts";
import { synonymsKeyword } from "./synonyms-keyword.ts";
import { reportUnionTags } from "./tags-of-unions.ts";
import { type PreparedSchema, prepareSchema } from "./validation-schema.ts";
import { variantsKeyword } from "./variants-keyword.ts";

/** A schema ready to judge values. Nothing is compiled before the first value comes. */
export interface CompiledSchema {
  readonly secretKeys: ReadonlySet<string>;
  /**
   * Normalises the value in place. True when it fits; else `explain` or `firstErrors` tells why.
   */
  readonly accepts: (value: unknown) => boolean;
  /** The errors that made `accepts` return false just now; stops at the first. */
  readonly firstErrors: () => readonly ErrorObject[];
  /** Every error of the value. Dear, and without a bound: for small values only. */
  readonly explain: (value: unknown) => readonly ErrorObject[];
}

const known = new WeakMap<JsonSchema, CompiledSchema>();
const vocabularies: Vocabulary[] = [];

/**
 * What becomes of a schema depends on nothing but the schema, so everything in the process shares
 * it: the APIs, their sockets, and each part that several schemas refer to.
 */
export function compileRouteSchema(schema: JsonSchema): CompiledSchema {
  let compiled = known.get(schema);
  if (compiled === undefined) {
    const prepared = prepareSchema(schema);
    compiled = vocabularyOf(prepared).compile(prepared);
    known.set(schema, compiled);
  }
  return compiled;
}

/** Two APIs may mean different things by one id; then each has a vocabulary of its own. */
function vocabularyOf({ shared }: PreparedSchema): Vocabulary {
  const texts = new Map([...shared].map(([id, schema]) => [id, JSON.stringify(schema)]));
  const fitting = vocabularies.find((vocabulary) => vocabulary.agreesOn(texts));
  const vocabulary = fitting ?? new Vocabulary();
  if (fitting === undefined) vocabularies.push(vocabulary);
  vocabulary.learn(shared, texts);
  return vocabulary;
}

/**
 * The first error is enough to refuse, and code that stops at it is smaller and faster; a second
 * validator explains.
 */
class Vocabulary {
  readonly #texts = new Map<string, string>();
  readonly #judge = createAjv({ allErrors: false, verbose: false });
  readonly #explainer = createAjv({ allErrors: true, verbose: true });

  agreesOn(texts: ReadonlyMap<string, string>): boolean {
    return [...texts].every(([id, text]) => (this.#texts.get(id) ?? text) === text);
  }

  learn(shared: ReadonlyMap<string, JsonSchema>, texts: ReadonlyMap<string, string>): void {
    for (const [id, schema] of shared) {
      if (this.#texts.has(id)) continue;
      this.#texts.set(id, texts.get(id) as string);
      this.#judge.addSchema(schema, id);
      this.#explainer.addSchema(schema, id);
    }
  }

  compile({ schema, secretKeys }: PreparedSchema): CompiledSchema {
    const judgeValue = this.#judge.compile(schema);
    const explainer = this.#explainer;
    let explainValue: ValidateFunction | undefined;
    return {
      secretKeys,
      accepts: judgeValue,
      firstErrors: () => judgeValue.errors ?? [],
      explain: (value) => {
        explainValue ??= explainer.compile(schema);
        explainValue(value);
        return explainValue.errors ?? [];
      },
    };
  }
}

function createAjv(options: { readonly allErrors: boolean; readonly verbose: boolean }): Ajv {
  const ajv = new Ajv({
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
    keywords: [
      laxKeyword,
      maxBytesKeyword,
      maxJsonLengthKeyword,
      scalarTypesKeyword,
      synonymsKeyword,
      variantsKeyword,
    ],
  });
  reportUnionTags(ajv);
  return ajv;
}
