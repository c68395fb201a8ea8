import { type Static, Type } from "typebox";
import { Model, StringEnum } from "../../schema/index.ts";
import { checkKind } from "./check-kind.ts";
import {
  attemptDefaults,
  attemptFields,
  attempts,
  DegradedAfterMs,
  hostField,
  MAX_HOST,
  slowField,
  target,
} from "./parts.ts";

const DNS_RECORDS = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "CAA", "SOA", "PTR"] as const;

export const DnsCheck = Model(
  {
    type: Type.Literal("dns"),
    host: target.host,
    record: Type.Optional(StringEnum(DNS_RECORDS, { description: "A when left out" })),
    server: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_HOST,
        description: "The address of the name server to ask, with a port if it is not 53",
      }),
    ),
    expected: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        maxItems: 50,
        description: "All of these must be among the answers",
      }),
    ),
    ...attempts,
    degraded_after_ms: Type.Optional(DegradedAfterMs),
  },
  { $id: "DnsCheck", title: "DNS record" },
);
export type DnsCheck = Static<typeof DnsCheck>;

export const dnsKind = checkKind(DnsCheck, {
  title: "DNS",
  about: "Asks for a record of a name",
  icon: "book",
  defaults: { record: "A", ...attemptDefaults },
  fields: [
    hostField,
    { key: "record", label: "Record", kind: "choice" },
    { key: "expected", label: "Expected answers", kind: "list", hint: "With commas between them" },
    { key: "server", label: "Name server", kind: "text", placeholder: "9.9.9.9", rare: true },
    { ...slowField, rare: true },
    ...attemptFields,
  ],
});
