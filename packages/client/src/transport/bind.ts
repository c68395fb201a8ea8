import { countPathKeys, fillPath, queryText } from "./address.ts";
import { ApiError } from "./errors.ts";
import {
  type BoundResource,
  type ClientOperation,
  type ClientResource,
  getWith,
  type Paged,
  query,
} from "./operation.ts";
import type { ApiResponse, CallOptions, HttpTransport } from "./request.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The methods of a resource, at one server. */
export function bindResource<Entries extends ClientResource>(
  transport: HttpTransport,
  entries: Entries,
): BoundResource<Entries> {
  const methods = Object.entries(entries).map(([name, entry]) => {
    if (entry.kind === "extension") return [name, entry.create(transport)];
    return [
      name,
      entry.kind === "paged" ? rows(transport, entry) : bindOperation(transport, entry),
    ];
  });
  return Object.fromEntries(methods) as BoundResource<Entries>;
}

/** Arguments are the keys of the path, then what is sent if anything is, then the options. */
export function bindOperation(
  transport: HttpTransport,
  operation: ClientOperation,
): (...args: readonly unknown[]) => Promise<unknown> {
  const ask = bindWithHeaders(transport, operation);
  return async (...args) => (await ask(...args)).value;
}

/** The same, with the headers of the answer. */
export function bindWithHeaders(
  transport: HttpTransport,
  { method, path, traits }: ClientOperation,
): (...args: readonly unknown[]) => Promise<ApiResponse> {
  const prepare = traits.prepare as ((input: unknown) => unknown) | undefined;
  const keyCount = countPathKeys(path);
  const { inputs, body, query: search } = PLACES[traits.takes];
  return async (...args) => {
    const given = args.slice(keyCount, keyCount + inputs).map((input) => input ?? {});
    const first = given[0] ?? {};
    const sent = [prepare === undefined ? first : prepare(first), given[1] ?? {}];
    const address =
      fillPath(path, args) +
      (search === null ? "" : queryText(sent[search] as Parameters<typeof queryText>[0]));
    const request = { method, path: address, traits };
    return transport.call(
      body === null ? request : { ...request, body: sent[body] },
      args[keyCount + inputs] as CallOptions | undefined,
    );
  };
}

/** How many arguments are sent, and which of them goes where. */
const PLACES = {
  nothing: { inputs: 0, body: null, query: null },
  body: { inputs: 1, body: 0, query: null },
  query: { inputs: 1, body: null, query: 0 },
  both: { inputs: 2, body: 0, query: 1 },
} as const;

/**
 * Asks for a page when the one before it has been taken; where the server says that a page would be
 * too large, for smaller ones.
 */
function rows(
  transport: HttpTransport,
  { method, path, pageSize }: Paged,
): (...args: readonly unknown[]) => AsyncGenerator<unknown, void, undefined> {
  const ask = bindOperation(transport, method === "GET" ? getWith(path) : query(path));
  const keyCount = countPathKeys(path);
  return async function* (...args) {
    const keys = args.slice(0, keyCount);
    const { limit, offset, ...rest } = (args[keyCount] ?? {}) as Fields;
    const most = typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
    const first = typeof offset === "number" ? offset : 0;
    let size = pageSize;
    for (let given = 0; given < most; ) {
      const wanted = Math.min(size, most - given);
      const page = { ...rest, limit: wanted, offset: first + given };
      const found = (await ask(...keys, page, args[keyCount + 1]).catch((error: unknown) => {
        if (wanted === 1 || !isTooLarge(error)) throw error;
        return null;
      })) as readonly unknown[] | null;
      if (found === null) {
        size = Math.floor(wanted / 2);
        continue;
      }
      yield* found;
      given += found.length;
      if (found.length < wanted) return;
    }
  };
}

const isTooLarge = (error: unknown): boolean => error instanceof ApiError && error.status === 413;
