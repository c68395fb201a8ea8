import type { WorkspaceQuotas, WorkspaceQuotasUpdate } from "@orchestrator/contract";

export type QuotaName = keyof WorkspaceQuotas["quotas"];

export interface QuotaKind {
  readonly name: QuotaName;
  readonly label: string;
  readonly hint: string;
  /** How much one of what people type is. */
  readonly unit: number;
}

const MEGABYTE = 1_000_000;

export const QUOTA_KINDS: readonly QuotaKind[] = [
  { name: "runs_per_day", label: "Flow runs per day", hint: "From midnight, UTC", unit: 1 },
  { name: "events_per_day", label: "Events per day", hint: "From midnight, UTC", unit: 1 },
  { name: "runs_stored", label: "Stored flow runs", hint: "Current total", unit: 1 },
  { name: "storage_bytes", label: "Storage in MB", hint: "Rows, without indexes", unit: MEGABYTE },
];

/** What people type for each; empty for any amount. */
export type TypedQuotas = Readonly<Record<QuotaName, string>>;

export function typedOf(quotas: WorkspaceQuotas["quotas"]): TypedQuotas {
  const entries = QUOTA_KINDS.map(({ name, unit }) => {
    const value = quotas[name];
    return [name, value === null ? "" : String(value / unit)];
  });
  return Object.fromEntries(entries) as TypedQuotas;
}

/** Null for what is not a number. */
export function parseQuotas(typed: TypedQuotas): WorkspaceQuotasUpdate | null {
  const update: Partial<Record<QuotaName, number | null>> = {};
  for (const { name, unit } of QUOTA_KINDS) {
    const text = typed[name].trim();
    const amount = text === "" ? null : Math.round(Number(text) * unit);
    if (amount !== null && !(amount >= 0)) return null;
    update[name] = amount;
  }
  return update;
}

/** `12,000 of 50,000`, in the unit that people type. */
export function usageText(used: number | null, most: number | null, unit: number): string {
  const words = used === null ? "Not measured yet" : amountText(used / unit);
  return most === null ? words : `${words} of ${amountText(most / unit)}`;
}

const amountText = (amount: number): string =>
  amount.toLocaleString("en", { maximumFractionDigits: 1 });
