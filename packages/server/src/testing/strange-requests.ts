// Requests to an operation that name something of another workspace in one place, whichever place
// that is.
import { type BodyMaker, placesIn, validBody } from "./bodies.ts";
import {
  type DocumentedOperation,
  type DocumentedSchema,
  pathParametersOf,
} from "./documented-operations.ts";
import type { Planted } from "./planted-workspace.ts";
import { filledPath, isCommon, kindInBody, kindInPath, valueOf } from "./references.ts";
import { freshName, moreOf, queryOf, wordFor } from "./words.ts";

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** One place of an operation that names a row. */
export interface StrangePlace {
  readonly kind: string;
  /** Where it is, for people. */
  readonly label: string;
  /** A filter by it that finds nothing where nothing has the value. */
  readonly isNarrowing: boolean;
  /** What is done may bear the value from then on. */
  readonly isKept: boolean;
  /** The request, valid and about the asker's own things but for the value of this place. */
  readonly requestWith: (value: string) => SentRequest;
}

export const operationName = ({ method, path }: DocumentedOperation): string => `${method} ${path}`;

/** The operation with a valid body, about things of the workspace. */
export function validRequest(operation: DocumentedOperation, own: Planted): SentRequest {
  const path = filledPath(operation.path, (kind) => valueOf(kind, own));
  return {
    method: operation.method,
    path: withQuery(path, queryOf(operationName(operation), own)),
    ...bodyPart(operation, own),
  };
}

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).map(([name, value]): [string, string] => [name, value ?? ""]);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

function bodyPart(operation: DocumentedOperation, own: Planted): { readonly body?: unknown } {
  if (operation.body === null) return {};
  return { body: completed(operation, own, validBody(makerFor(operation, own), operation.body)) };
}

function completed(operation: DocumentedOperation, own: Planted, body: unknown): unknown {
  if (typeof body !== "object" || Array.isArray(body)) return body;
  return { ...moreOf(operationName(operation), own), ...body };
}

/** Every place of the operation that names something. */
export function strangePlaces(operation: DocumentedOperation, own: Planted): StrangePlace[] {
  return [
    ...pathPlaces(operation, own),
    ...queryPlaces(operation, own),
    ...bodyPlaces(operation, own),
  ];
}

function pathPlaces(operation: DocumentedOperation, own: Planted): StrangePlace[] {
  const { path } = operation;
  return pathParametersOf(operation)
    .map((name) => ({ name, kind: kindInPath(path, name) }))
    .filter(({ kind }) => !isCommon(kind))
    .map(({ name, kind }) => ({
      kind,
      label: `{${name}}`,
      isNarrowing: false,
      isKept: path.endsWith("/workers/heartbeat"),
      requestWith: (value) => ({
        ...validRequest(operation, own),
        path: filledPath(path, (each, at) => (at === name ? value : valueOf(each, own))),
      }),
    }));
}

function queryPlaces(operation: DocumentedOperation, own: Planted): StrangePlace[] {
  return operation.query.flatMap((name) => {
    const kind = kindInBody(operation.path, [name], {});
    if (kind === null) return [];
    const path = filledPath(operation.path, (each) => valueOf(each, own));
    const requestWith = (value: string) => ({
      ...validRequest(operation, own),
      path: withQuery(path, { ...queryOf(operationName(operation), own), [name]: value }),
    });
    return [{ kind, label: `?${name}`, isNarrowing: false, isKept: false, requestWith }];
  });
}

function bodyPlaces(operation: DocumentedOperation, own: Planted): StrangePlace[] {
  const { path, body } = operation;
  if (body === null) return [];
  const places: StrangePlace[] = [];
  for (const { names, schema, bodyWith } of placesIn(makerFor(operation, own), body)) {
    if (names.some((name) => WIDENING.test(name))) continue;
    const kind = kindInBody(path, names, schema);
    if (kind === null) continue;
    const isFilter = names.some((name) => COMPARES.test(name));
    const lists = /\/(filter|count|paginate)$/.test(path);
    places.push({
      kind,
      label: names.join("."),
      isNarrowing: isFilter && lists && /\.|^tag$/.test(kind),
      isKept: !isFilter,
      requestWith: (value) => ({
        ...validRequest(operation, own),
        body: completed(operation, own, bodyWith(value)),
      }),
    });
  }
  return places;
}

const COMPARES = /^(any|all|like|startswith|id)_$/;

/**
 * What finds all that does not have the value, and triggers, whose ids are made anew whatever is
 * sent.
 */
const WIDENING = /^(not_|exclude_|is_null_|exists_|trigger)/;

function makerFor(operation: DocumentedOperation, own: Planted): BodyMaker {
  const { path, resolve } = operation;
  const more: Readonly<Record<string, unknown>> = moreOf(operationName(operation), own);
  const choose = (names: readonly string[], schema: DocumentedSchema): unknown => {
    const word = (names.length === 1 ? more[names[0] ?? ""] : undefined) ?? wordFor(names);
    if (word !== undefined) return word;
    if (schema.type !== "string" || schema.enum !== undefined || schema.const !== undefined)
      return undefined;
    const kind = kindInBody(path, names, schema);
    if (kind === null) return undefined;
    // What is made anew has an id and a name of its own.
    if (names.at(-1) === "id" && names.length === 1) return crypto.randomUUID();
    return own[kind] ?? freshName();
  };
  return { resolve, choose };
}
