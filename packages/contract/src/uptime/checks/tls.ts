import { type Static, Type } from "typebox";
import { Model } from "../../schema/index.ts";
import { checkKind } from "./check-kind.ts";
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

export const TlsCheck = Model(
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
export type TlsCheck = Static<typeof TlsCheck>;

export const tlsKind = checkKind(TlsCheck, {
  title: "Certificate",
  about: "Looks at the certificate alone",
  icon: "check",
  defaults: { tls_warn_days: 14, ...attemptDefaults },
  prefill: { tls_warn_days: 14 },
  fields: [
    { key: "tls_warn_days", label: "Warn before it ends (days)", kind: "number" },
    hostField,
    portField,
    { key: "servername", label: "Name on the certificate", kind: "text", rare: true },
    { ...slowField, rare: true },
    ...attemptFields,
  ],
});
