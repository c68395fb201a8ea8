import type { CheckResult, MonitorStatus } from "@orchestrator/contract";

export interface Phases {
  readonly dns?: number;
  readonly connect?: number;
  readonly tls?: number;
  readonly first_byte?: number;
  readonly download?: number;
}

export interface Certificate {
  readonly subject?: string | null;
  readonly issuer?: string | null;
  readonly valid_to?: string | null;
  readonly days_left?: number | null;
  readonly protocol?: string | null;
  readonly problem?: string;
}

interface Assertion {
  readonly assertion: string;
  readonly passed: boolean;
  readonly severity: "fail" | "warn";
  readonly problem?: string;
  readonly seen?: string;
}

/** What checks tell of themselves, as far as pages show it apart. */
export interface CheckDetails {
  readonly status_code?: number;
  readonly timings?: Phases;
  readonly tls?: Certificate;
  readonly assertions?: readonly Assertion[];
  readonly error?: string;
  readonly version?: string;
  readonly revision?: string;
  readonly build_time?: string;
  readonly server_date?: string;
  readonly final_url?: string;
}

export interface CheckOutcomeText {
  /** `http`, `http#2` */
  readonly name: string;
  readonly summary: string;
  readonly details: CheckDetails;
}

type ResultText = Pick<CheckResult, "message" | "details">;

/** Each check of a run with its part of the message. */
export function outcomesOf({ message, details }: ResultText): CheckOutcomeText[] {
  const parts = message.split("; ");
  return Object.entries(details).map(([name, found], i) => {
    const [type = name] = name.split("#");
    const part = parts[i] ?? "";
    const summary = part.startsWith(`${type}: `) ? part.slice(type.length + 2) : part;
    return { name, summary, details: found as CheckDetails };
  });
}

export const outcomeStatusOf = ({
  details,
  summary,
}: CheckOutcomeText): MonitorStatus | undefined => {
  if (details.error !== undefined) return "down";
  const failed = details.assertions?.filter(({ passed }) => !passed) ?? [];
  if (failed.some(({ severity }) => severity === "fail")) return "down";
  if (failed.length > 0) return "degraded";
  if (summary.includes("expected ")) return "down";
  if ((details.status_code ?? 0) >= 400 || /slow: |certificate (?:ends|has ended)/.test(summary))
    return "degraded";
  return undefined;
};

export function certificateOf(result: ResultText): Certificate | undefined {
  return outcomesOf(result).find(({ details }) => details.tls !== undefined)?.details.tls;
}
