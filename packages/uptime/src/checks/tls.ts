import type { Socket } from "node:net";
import { Model } from "@orchestrator/contract";
import { openConnection, secured, tlsFacts, trusting } from "@orchestrator/outbound";
import { Type } from "typebox";
import { certificateDetails, expiry } from "./certificate.ts";
import { defineCheck } from "./check.ts";
import { endpointOf } from "./endpoint.ts";
import { failedOutcome, outcomeOf, roundMs, slowness } from "./outcome.ts";
import {
  attemptDefaults,
  attemptFields,
  attempts,
  DegradedAfterMs,
  Host,
  hostField,
  portField,
  slowField,
  target,
  WarnDays,
} from "./parts.ts";

const TlsCheck = Model(
  {
    type: Type.Literal("tls"),
    ...target,
    servername: Type.Optional(
      Host("The name that the certificate must be for, when it is not the host"),
    ),
    ...attempts,
    degraded_after_ms: Type.Optional(DegradedAfterMs),
    tls_warn_days: Type.Optional(WarnDays),
  },
  { $id: "TlsCheck", title: "Certificate" },
);

const DEFAULTS = { tls_warn_days: 14, ...attemptDefaults } as const;

/** Looks at the certificate alone: who it is for, who vouches for it, and when it ends. */
export const tlsCheck = defineCheck(TlsCheck, {
  title: "Certificate",
  about: "Looks at the certificate alone",
  icon: "check",
  defaults: DEFAULTS,
  prefill: { tls_warn_days: 14 },
  fields: [
    { key: "tls_warn_days", label: "Warn before it ends (days)", kind: "number" },
    hostField,
    portField,
    { key: "servername", label: "Name on the certificate", kind: "text", rare: true },
    { ...slowField, rare: true },
    ...attemptFields,
  ],

  async attempt(config, { url }, run) {
    const { signal, clock, authorities } = run;
    const startedAt = performance.now();
    let doing = "connecting";
    let socket: Socket | null = null;
    try {
      const endpoint = endpointOf(url, config);
      socket = await openConnection(endpoint, run);
      doing = "agreeing on encryption";
      const trust = authorities === undefined ? {} : { context: trusting(authorities) };
      const host = config.servername ?? endpoint.host;
      const facts = tlsFacts(await secured(socket, { host, verify: false, signal, ...trust }));
      const elapsedMs = performance.now() - startedAt;
      const { problem, certificate } = facts;
      return outcomeOf(
        [
          problem === null
            ? { status: "up", text: "the certificate is valid" }
            : { status: "down", text: problem.text },
          ...slowness(elapsedMs, config.degraded_after_ms),
          ...expiry(facts, config.tls_warn_days ?? DEFAULTS.tls_warn_days, clock),
        ],
        {
          ...certificateDetails(facts, clock),
          names: certificate?.names ?? [],
          fingerprint: certificate?.fingerprint ?? null,
          timings: { total: roundMs(elapsedMs) },
          ...(problem !== null && { error: problem.text, error_code: problem.code }),
        },
        { certificateEndsMicros: certificate?.validToMicros ?? null },
      );
    } catch (error) {
      return failedOutcome(error, run, { doing });
    } finally {
      socket?.on("error", () => {});
      socket?.destroy();
    }
  },
});
