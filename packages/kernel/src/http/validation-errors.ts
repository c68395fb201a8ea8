import { readJson, writeJson } from "@orchestrator/exact-json";
import type { ErrorObject } from "ajv";
import type { RequestProblem } from "./invalid-request.ts";
import { isSchema, type JsonSchema } from "./json-schema.ts";
import { isSecretKey, MASK, maskSecrets } from "./masking.ts";
import { describeProblem, type ProblemText } from "./problem-messages.ts";
import type { SchemaMismatchError } from "./schema-mismatch.ts";
import type { VariantsErrorParams } from "./variants-keyword.ts";

/** What is wrong with a part of a request, and the sentence for a reader who sees only one line. */
export interface RequestExplanation {
  readonly problems: readonly RequestProblem[];
  readonly detail: string;
}

const MAX_PROBLEMS = 50;
const MAX_INPUT_CHARACTERS = 2048;
const MAX_TEXT_CHARACTERS = 256;
const PROBLEMS_IN_SENTENCE = 3;

/**
 * Lists the problems of a part that did not fit. `original` is a copy of the part nobody changed
 * yet; without one (it was too large to keep) only the first problem is named.
 */
export function explainMismatch(
  mismatch: SchemaMismatchError,
  original?: unknown,
): RequestExplanation {
  const { part, schema, arrange } = mismatch;
  const errors =
    original === undefined
      ? mismatch.firstErrors
      : schema.explain(arrange(readJson(writeJson(original))));
  const chosen = chooseVariants(errors.length === 0 ? mismatch.firstErrors : errors);
  const problems: RequestProblem[] = [];
  let detail: string | undefined;
  for (const error of chosen) {
    if (error.keyword === "if") continue;
    const path = pathOf(error);
    const input = original === undefined ? undefined : valueAt(original, path);
    const text = ownProblem(error) ?? describeProblem(error, input ?? error.data);
    const loc = [part === "params" ? "path" : part, ...path.map(shorten)];
    const { type, msg, ...rest } = text;
    problems.push({ type, loc, msg, ...shownInput(input, path, schema.secretKeys), ...rest });
    detail ??= ownSentence(error, text.msg);
    if (problems.length === MAX_PROBLEMS) break;
  }
  return { problems, detail: detail ?? problemSentence(problems) };
}

/** `body.name: Field required; body.limit: Input should be a valid integer, and 2 more` */
export function problemSentence(problems: readonly RequestProblem[]): string {
  const named = problems.slice(0, PROBLEMS_IN_SENTENCE).map(({ loc, msg, ctx }) => {
    const reason = typeof ctx?.["error"] === "string" ? `${msg}: ${ctx["error"]}` : msg;
    return `${loc.join(".")}: ${reason}`;
  });
  const rest = problems.length - named.length;
  return rest > 0 ? `${named.join("; ")}, and ${rest} more` : named.join("; ");
}

/**
 * The errors of a failed union are replaced by those of the branch the caller most likely meant.
 */
function chooseVariants(errors: readonly ErrorObject[]): ErrorObject[] {
  const chosen: ErrorObject[] = [];
  let end = errors.length;
  while (end > 0) {
    const error = errors[end - 1];
    end -= 1;
    if (error === undefined) continue;
    if (error.keyword !== "variants") {
      chosen.push(error);
      continue;
    }
    const { counts } = error.params as VariantsErrorParams;
    const branches: ErrorObject[][] = [];
    for (const count of counts.toReversed()) {
      branches.push(chooseVariants(errors.slice(end - count, end)));
      end -= count;
    }
    chosen.push(...nearest(branches.reverse(), error).reverse());
  }
  return chosen.reverse();
}

function nearest(branches: readonly ErrorObject[][], union: ErrorObject): ErrorObject[] {
  const types: unknown[] = [];
  let best: ErrorObject[] | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const branch of branches) {
    const wrongType = branch.find((error) => {
      return error.keyword === "type" && error.instancePath === union.instancePath;
    });
    if (wrongType !== undefined) {
      types.push((wrongType.params as { readonly type: unknown }).type);
      continue;
    }
    const distance = branch.reduce((sum, error) => sum + weight(error, union.instancePath), 0);
    if (distance < bestDistance) {
      best = branch;
      bestDistance = distance;
    }
  }
  return best ?? [{ ...union, keyword: "type", params: { type: types.flat() } }];
}

/**
 * A wrong literal in a direct member marks another variant; a missing or foreign member nearly so.
 */
function weight(error: ErrorObject, unionPath: string): number {
  const below = error.instancePath.slice(unionPath.length);
  const isDirectMember = below.lastIndexOf("/") === 0;
  if ((error.keyword === "const" || error.keyword === "enum") && isDirectMember) return 100;
  return error.keyword === "required" || error.keyword === "additionalProperties" ? 3 : 1;
}

function pathOf(error: ErrorObject): (string | number)[] {
  const path: (string | number)[] = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const params = error.params as Readonly<Record<string, unknown>>;
  const member =
    params["missingProperty"] ??
    params["additionalProperty"] ??
    (error.keyword === "discriminator" ? params["tag"] : error.propertyName);
  if (typeof member === "string") path.push(member);
  return path;
}

/** The value a place names, or for a place that does not exist what surrounds it. */
function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const part of path) {
    const member: unknown = readMember(value, part);
    if (member === undefined) return value;
    value = member;
  }
  return value;
}

function readMember(value: unknown, part: string | number): unknown {
  if (Array.isArray(value)) return value[Number(part)];
  if (!isSchema(value)) return undefined;
  return Object.hasOwn(value, String(part)) ? value[String(part)] : undefined;
}

function shownInput(
  input: unknown,
  path: readonly (string | number)[],
  secretKeys: ReadonlySet<string>,
): { readonly input?: unknown } {
  if (input === undefined) return {};
  const secret = path.some((part) => typeof part === "string" && isSecretKey(part, secretKeys));
  const shown = secret ? MASK : maskSecrets(input, secretKeys);
  if (typeof shown === "string") return { input: shorten(shown) };
  return writeJson(shown).length > MAX_INPUT_CHARACTERS ? {} : { input: shown };
}

/** Names come from the caller too, so their echo is bounded like that of values. */
function shorten<T>(part: T): T | string {
  if (typeof part !== "string" || part.length <= MAX_TEXT_CHARACTERS) return part;
  return `${part.slice(0, MAX_TEXT_CHARACTERS)}…`;
}

/** A schema may bring words of its own for a value of the right type that it does not take. */
function ownProblem(error: ErrorObject): ProblemText | undefined {
  if (error.keyword === "type") return undefined;
  const words = (error.parentSchema as JsonSchema | undefined)?.["problem"];
  return typeof words === "string"
    ? { type: "value_error", msg: `Value error, ${words}` }
    : undefined;
}

/** A schema may bring the words its API promises for a wrong value: `Invalid limit: must be …`. */
function ownSentence(error: ErrorObject, msg: string): string | undefined {
  const prefix = (error.parentSchema as JsonSchema | undefined)?.["detailPrefix"];
  if (typeof prefix !== "string") return undefined;
  return `${prefix} ${msg.replace(/^Input should be /, "")}.`;
}
