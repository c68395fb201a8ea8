// What the two APIs can be asked for, as data: the methods of a client are made from it, and a test
// compares it with the OpenAPI documents. The signature of a method is written down as a function
// type; path parameters come first.

import type { CallOptions, HttpMethod, HttpTransport, OperationTraits } from "./request.ts";

declare const SIGNATURE: unique symbol;

type AnyFunction = (...args: never[]) => unknown;

export interface ClientOperation<Signature extends AnyFunction = AnyFunction> {
  readonly kind: "operation";
  readonly method: HttpMethod;
  readonly path: string;
  readonly traits: OperationTraits;
  readonly [SIGNATURE]?: Signature;
}

/** A list that is asked for page by page. */
export interface Paged<Signature extends AnyFunction = AnyFunction> {
  readonly kind: "paged";
  readonly method: "GET" | "POST";
  readonly path: string;
  /** How many a page may hold. */
  readonly pageSize: number;
  readonly [SIGNATURE]?: Signature;
}

/** A method that is more than one request. */
export interface ClientExtension<Method extends AnyFunction = AnyFunction> {
  readonly kind: "extension";
  readonly create: (transport: HttpTransport) => Method;
}

export type ClientResource = Readonly<Record<string, ClientOperation | Paged | ClientExtension>>;

type Bound<Entry> =
  Entry extends ClientOperation<infer Signature>
    ? (...args: [...Parameters<Signature>, options?: CallOptions]) => Promise<ReturnType<Signature>>
    : Entry extends Paged<infer Signature>
      ? (
          ...args: [...Parameters<Signature>, options?: CallOptions]
        ) => AsyncGenerator<ReturnType<Signature>, void, undefined>
      : Entry extends ClientExtension<infer Method>
        ? Method
        : never;

/** A resource as callers see it. */
export type BoundResource<Entries> = { readonly [Name in keyof Entries]: Bound<Entries[Name]> };

type Builder<Signatures extends AnyFunction> = <Signature extends Signatures>(
  path: string,
  traits?: Partial<OperationTraits>,
) => ClientOperation<Signature>;

/** Takes what the path needs and nothing else. */
type KeysOnly = (...keys: string[]) => unknown;

const of =
  <Signatures extends AnyFunction>(
    method: HttpMethod,
    usual: OperationTraits,
  ): Builder<Signatures> =>
  (path, traits) => ({ kind: "operation", method, path, traits: { ...usual, ...traits } });

/** Reads. */
export const get = of<KeysOnly>("GET", { takes: "nothing", repeat: "always" });
/** Reads, with what is asked for in the address. */
export const getWith = of<AnyFunction>("GET", { takes: "query", repeat: "always" });
/** Reads, with what is asked for in the body. */
export const query = of<AnyFunction>("POST", { takes: "body", repeat: "always" });
/** Does something that must not happen twice, unless `prepare` sees to it that it cannot. */
export const post = of<AnyFunction>("POST", { takes: "body", repeat: "unsent" });
/** Does something that comes to the same however often it is asked for. */
export const ensure = of<AnyFunction>("POST", { takes: "body", repeat: "always" });
/**
 * Asks for something to be done for which there is nothing to say; it comes to the same however
 * often it is asked for.
 */
export const trigger = of<KeysOnly>("POST", { takes: "nothing", repeat: "always" });
export const put = of<AnyFunction>("PUT", { takes: "body", repeat: "always" });
/** Sets the given fields, which may be said twice. */
export const patch = of<AnyFunction>("PATCH", { takes: "body", repeat: "always" });
export const del = of<KeysOnly>("DELETE", { takes: "nothing", repeat: "always" });
/** The same, with what makes it sure in the address. */
export const delWith = of<AnyFunction>("DELETE", { takes: "query", repeat: "always" });

/** With what `prepare` fills in, a request may be repeated. */
export const keyed = <Input>(prepare: (input: Input) => Input) =>
  ({ repeat: "always", prepare }) as const;

const MAX_PAGE = 200;

/** The same as `query`, row by row: `limit` is how many there are to be in all. */
export function each<Signature extends AnyFunction>(
  path: string,
  pageSize: number = MAX_PAGE,
): Paged<Signature> {
  return { kind: "paged", method: "POST", path, pageSize };
}

/** The same as `get`, row by row: `limit` is how many there are to be in all. */
export function eachGot<Signature extends AnyFunction>(
  path: string,
  pageSize: number = MAX_PAGE,
): Paged<Signature> {
  return { kind: "paged", method: "GET", path, pageSize };
}

export function extension<Method extends AnyFunction>(
  create: (transport: HttpTransport) => Method,
): ClientExtension<Method> {
  return { kind: "extension", create };
}
