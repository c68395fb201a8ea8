// What several checks have in common: options, what they mean when they are left out, and how a
// form asks for them.

import { type CheckField, Flag, Int } from "@orchestrator/contract";
import { Type } from "typebox";

export const MAX_OPTION_LENGTH = 10_000;
export const MAX_HOST = 253;
const MAX_TIMEOUT_MS = 120_000;

const TimeoutMs = Int({
  minimum: 100,
  maximum: MAX_TIMEOUT_MS,
  description: "How long one attempt may take",
});

const Retries = Int({
  minimum: 0,
  maximum: 5,
  description: "How often a failed attempt is made again within the run",
});

export const DegradedAfterMs = Int({
  minimum: 1,
  maximum: MAX_TIMEOUT_MS,
  description: "From this long on the check is degraded",
});

export const VerifyTls = Flag({
  description: "Whether the certificate must be valid; true when left out",
});

export const WarnDays = Int({
  minimum: 0,
  maximum: 365,
  description: "The check is degraded when the certificate ends within this many days",
});

export const Host = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_HOST,
    pattern: "^[A-Za-z0-9._:\\[\\]-]+$",
    description,
  });

const Port = Int({ minimum: 1, maximum: 65_535 });

/** The host and the port of the monitor's `url` unless these say otherwise. */
export const target = {
  host: Type.Optional(Host("The host of `url` when left out")),
  port: Type.Optional(Port),
};

export const attempts = { timeout_ms: Type.Optional(TimeoutMs), retries: Type.Optional(Retries) };

export const attemptDefaults = { timeout_ms: 10_000, retries: 1 } as const;

type Field<Key extends string> = CheckField & { readonly key: Key };

export const hostField: Field<"host"> = {
  key: "host",
  label: "Host",
  kind: "text",
  hint: "Else that of the address",
};
export const portField: Field<"port"> = { key: "port", label: "Port", kind: "number" };
export const slowField: Field<"degraded_after_ms"> = {
  key: "degraded_after_ms",
  label: "Degraded after (ms)",
  kind: "number",
  hint: "An answer that takes longer counts as degraded",
};
export const attemptFields: readonly Field<"timeout_ms" | "retries">[] = [
  { key: "timeout_ms", label: "Time-out (ms)", kind: "number", rare: true },
  { key: "retries", label: "Tries again", kind: "number", hint: "Within a run", rare: true },
];
export const certificateFields: readonly Field<"tls_warn_days" | "verify_tls">[] = [
  {
    key: "tls_warn_days",
    label: "Warn before the certificate ends (days)",
    kind: "number",
    rare: true,
  },
  { key: "verify_tls", label: "The certificate must be valid", kind: "flag", rare: true },
];
