import type { CheckResult, ResultList } from "@orchestrator/contract";
import { bindWithHeaders } from "../transport/bind.ts";
import { extension, getWith } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";
import type { CallOptions } from "../transport/request.ts";

type List = OptionalDefaults<ResultList>;

const MAX_PAGE = 1000;
const list = getWith<(monitorId: string, query?: List) => CheckResult[]>("/monitors/{id}/results");

export const results = {
  list,
  /**
   * Page by page, behind a cursor that new results do not move; `limit` is how many there are to be
   * in all.
   */
  each: extension((transport) => {
    const ask = bindWithHeaders(transport, list);
    return async function* (
      monitorId: string,
      { limit = Number.POSITIVE_INFINITY, ...rest }: List = {},
      options?: CallOptions,
    ): AsyncGenerator<CheckResult, void, undefined> {
      let before: string | null = null;
      for (let left = limit; left > 0; ) {
        const query = { ...rest, limit: Math.min(MAX_PAGE, left) };
        const place = before === null ? {} : { before, offset: 0 };
        const { value, headers } = await ask(monitorId, { ...query, ...place }, options);
        const found = value as readonly CheckResult[];
        yield* found;
        left -= found.length;
        before = headers.get("x-next-cursor");
        if (before === null || found.length === 0) return;
      }
    };
  }),
};
