// What the configurations of several checks have in common.

import { Type } from "typebox";
import { Flag, Int } from "../schema/index.ts";

export const MAX_TEXT = 10_000;
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
