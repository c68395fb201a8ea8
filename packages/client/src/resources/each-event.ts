import type { EventFilterRequest, EventPage, ReceivedEvent, Static } from "@orchestrator/contract";
import { bindOperation } from "../transport/bind.ts";
import { getWith, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";
import type { CallOptions, HttpTransport } from "../transport/request.ts";

type Page = Static<typeof EventPage>;

const MAX_PAGE = 200;

/**
 * Events page by page, in an order that new ones do not disturb; `limit` is how many there are to
 * be in all.
 */
export function eachEventOf(transport: HttpTransport) {
  const first = bindOperation(transport, query("/events/filter"));
  const next = bindOperation(transport, getWith("/events/filter/next"));
  return async function* (
    {
      limit = Number.POSITIVE_INFINITY,
      ...rest
    }: OptionalDefaults<Static<typeof EventFilterRequest>> = {},
    options?: CallOptions,
  ): AsyncGenerator<Static<typeof ReceivedEvent>, void, undefined> {
    if (limit <= 0) return;
    let left = limit;
    let page = (await first({ ...rest, limit: Math.min(MAX_PAGE, left) }, options)) as Page;
    for (;;) {
      yield* page.events.slice(0, left);
      left -= page.events.length;
      const token = page.next_page === null ? null : tokenOf(page.next_page);
      if (token === null || left <= 0) return;
      page = (await next({ "page-token": token }, options)) as Page;
    }
  };
}

function tokenOf(nextPage: string): string | null {
  return new URL(nextPage, "http://localhost").searchParams.get("page-token");
}
