import type { OverviewState } from "@orchestrator/contract";
import { STATES } from "./monitor-words.ts";

export type MonitorsSearch = {
  readonly states?: readonly OverviewState[];
  readonly tags?: readonly string[];
  readonly text?: string;
  readonly page?: string;
};

export function readMonitorsSearch(search: URLSearchParams): MonitorsSearch {
  const states = STATES.filter((state) => search.getAll("states").includes(state));
  const tags = search.getAll("tags");
  const [text, page] = [search.get("text"), search.get("page")];
  return {
    ...(states.length > 0 && { states }),
    ...(tags.length > 0 && { tags }),
    ...(text !== null && { text }),
    ...(page !== null && { page }),
  };
}
