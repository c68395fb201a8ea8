import type { Incident, MonitorStats } from "@orchestrator/contract";

/** A stretch of time, in seconds since 1970, in which something was the matter. */
export interface Band {
  readonly kind: "down" | "degraded" | "maintenance";
  readonly from: number;
  readonly until: number;
}

const seconds = (time: string): number => Date.parse(time) / 1000;

/** Trouble as the incidents tell it, and maintenance where the checks fell into one. */
export function bandsOf(stats: MonitorStats, incidents: readonly Incident[]): Band[] {
  const [start, end] = [seconds(stats.from), seconds(stats.until)];
  const troubles = incidents.map(({ status, started_at, ended_at }) => ({
    kind: status,
    from: seconds(started_at),
    until: ended_at === null ? end : seconds(ended_at),
  }));
  const maintained = stats.series
    .filter(({ maintenance }) => maintenance > 0)
    .map(({ from, until }) => ({
      kind: "maintenance" as const,
      from: seconds(from),
      until: seconds(until),
    }));
  return [...joined(maintained), ...troubles].filter(
    ({ from, until }) => until > start && from < end,
  );
}

/** What follows without a gap is one. */
function joined(bands: readonly Band[]): Band[] {
  const all: Band[] = [];
  for (const band of bands) {
    const last = all.at(-1);
    if (last !== undefined && last.until >= band.from)
      all[all.length - 1] = { ...last, until: band.until };
    else all.push(band);
  }
  return all;
}
