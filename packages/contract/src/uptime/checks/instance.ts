import { type Static, Type } from "typebox";
import { Model } from "../../schema/index.ts";
import { checkKind } from "./check-kind.ts";
import {
  attemptDefaults,
  attemptFields,
  attempts,
  certificateFields,
  DegradedAfterMs,
  slowField,
  VerifyTls,
  WarnDays,
} from "./parts.ts";

const Password = Type.Unsafe<string>({
  type: "string",
  maxLength: 1000,
  secret: true,
  description: "Sealed, and shown as a mask",
});

export const InstanceCheck = Model(
  {
    type: Type.Literal("instance"),
    username: Type.Optional(Type.String({ maxLength: 255 })),
    password: Type.Optional(Password),
    path: Type.Optional(
      Type.String({
        maxLength: 1000,
        // One slash at the beginning: two would lead to another host.
        pattern: "^/(?![/\\\\])[^\\\\\\s]*$|^/$",
        description: "Behind `url`; `/api/system/info` when left out",
      }),
    ),
    ...attempts,
    degraded_after_ms: Type.Optional(DegradedAfterMs),
    verify_tls: Type.Optional(VerifyTls),
    tls_warn_days: Type.Optional(WarnDays),
  },
  { $id: "InstanceCheck", title: "Instance with system info" },
);
export type InstanceCheck = Static<typeof InstanceCheck>;

export const instanceKind = checkKind(InstanceCheck, {
  title: "Instance",
  about: "Logs in and reads version, revision and build",
  icon: "deployment",
  defaults: { path: "/api/system/info", verify_tls: true, ...attemptDefaults },
  prefill: { retries: 1 },
  fields: [
    {
      key: "username",
      label: "User name",
      kind: "text",
      hint: "An account with few rights is enough",
    },
    { key: "password", label: "Password", kind: "secret" },
    { key: "path", label: "Path", kind: "text", rare: true },
    { ...slowField, rare: true },
    ...attemptFields,
    ...certificateFields,
  ],
});
