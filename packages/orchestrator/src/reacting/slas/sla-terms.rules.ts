import type { SlaCreate, SlaKind } from "@orchestrator/contract";
import { plusSeconds } from "@orchestrator/kernel/pure";
import type { SlaRow } from "../../db/tables/slas.table.ts";

export interface SlaTerms {
  readonly kind: SlaKind;
  readonly seconds: number;
}

/** Each spelling of a bound and the kind it belongs to. */
const SPELLINGS = { duration: "duration", within: "lateness", stale_after: "freshness" } as const;

/** The kind and the bound, however they are given; null unless they are given once. */
export function readTerms(given: SlaCreate): SlaTerms | null {
  const spelled = Object.entries(SPELLINGS).flatMap(([key, kind]): SlaTerms[] => {
    const seconds = given[key as keyof typeof SPELLINGS];
    return seconds == null ? [] : [{ kind, seconds }];
  });
  const { kind, seconds } = given;
  if (kind != null && seconds != null) spelled.push({ kind, seconds });
  else if (kind != null || seconds != null) return null;
  const [terms] = spelled;
  return terms !== undefined && spelled.length === 1 ? terms : null;
}

type Beginning = Pick<SlaRow, "since" | "due" | "violated" | "violation_id">;

/** Where an SLA stands that begins now, or does not. */
export function beginning(
  { kind, seconds, enabled }: SlaTerms & { readonly enabled: boolean },
  now: string,
): Beginning {
  const blank = { violated: null, violation_id: null };
  if (!enabled) return { ...blank, since: null, due: null };
  return { ...blank, since: now, due: kind === "freshness" ? plusSeconds(now, seconds) : now };
}
