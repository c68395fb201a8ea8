import { useState } from "react";
import type { RunsSearch } from "./runs-search.ts";

export interface Picks {
  readonly ids: ReadonlySet<string>;
  /** All that match, also those that are not in sight. */
  readonly isAll: boolean;
}

const NONE: Picks = { ids: new Set(), isAll: false };

/** Which runs are picked; none any more when others are asked for, by whatever way. */
export function usePicks(search: RunsSearch): readonly [Picks, (picks: Partial<Picks>) => void] {
  const { page: _page, chart: _chart, ...others } = search;
  const sought = JSON.stringify(others);
  const [kept, setKept] = useState({ ...NONE, sought });
  if (kept.sought !== sought) setKept({ ...NONE, sought });
  // All that match are no longer meant when one of them is picked or let go.
  const pick = (picks: Partial<Picks>) => setKept({ ...NONE, ...picks, sought });
  return [kept, pick];
}
