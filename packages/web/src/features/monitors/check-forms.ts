// What can be said about each type of check, as data: the form is made from it.
import type { CheckConfig, CheckType } from "@orchestrator/contract";
import type { IconName } from "../../ui/icons.tsx";

export type FieldKind =
  | "text"
  | "area"
  | "number"
  | "flag"
  | "choice"
  | "secret"
  | "list"
  | "lines"
  | "headers"
  | "expectations";

export interface CheckField {
  readonly key: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  /** What is meant when nothing is said. */
  readonly usual?: boolean;
  /** Out of sight until somebody asks for more. */
  readonly isRare?: boolean;
}

interface CheckForm {
  readonly title: string;
  readonly about: string;
  readonly icon: IconName;
  readonly prefill: CheckConfig;
  readonly fields: readonly CheckField[];
}

const slow: CheckField = {
  key: "degraded_after_ms",
  label: "Degraded after (ms)",
  kind: "number",
  hint: "An answer that takes longer counts as degraded",
};
const attempts: readonly CheckField[] = [
  { key: "timeout_ms", label: "Time-out (ms)", kind: "number", placeholder: "10000", isRare: true },
  { key: "retries", label: "Tries again", kind: "number", hint: "Within a run", isRare: true },
];
const tls: readonly CheckField[] = [
  {
    key: "tls_warn_days",
    label: "Warn before the certificate ends (days)",
    kind: "number",
    isRare: true,
  },
  {
    key: "verify_tls",
    label: "The certificate must be valid",
    kind: "flag",
    usual: true,
    isRare: true,
  },
];
const host: CheckField = {
  key: "host",
  label: "Host",
  kind: "text",
  hint: "Else that of the address",
};
const port: CheckField = { key: "port", label: "Port", kind: "number" };

export const CHECK_FORMS: Readonly<Record<CheckType, CheckForm>> = {
  http: {
    title: "HTTP",
    about: "Asks a web address and looks at the answer",
    icon: "link",
    prefill: {
      type: "http",
      expected_status: ["200-399"],
      degraded_after_ms: 2000,
      retries: 1,
    },
    fields: [
      {
        key: "expected_status",
        label: "Expected status",
        kind: "list",
        placeholder: "200-399, 401",
        hint: "Codes and ranges; any other is down. Empty: 400 and above is degraded",
      },
      slow,
      { key: "contains", label: "The body holds", kind: "lines", hint: "One text a line" },
      { key: "json", label: "The JSON of the body", kind: "expectations" },
      {
        key: "method",
        label: "Method",
        kind: "choice",
        choices: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
        isRare: true,
      },
      {
        key: "headers",
        label: "Headers",
        kind: "headers",
        hint: "Values that look secret are sealed and never shown again",
        isRare: true,
      },
      { key: "body", label: "Body", kind: "area", isRare: true },
      {
        key: "not_contains",
        label: "The body does not hold",
        kind: "lines",
        hint: "One text a line",
        isRare: true,
      },
      ...attempts,
      {
        key: "follow_redirects",
        label: "Follow redirects",
        kind: "flag",
        usual: true,
        isRare: true,
      },
      ...tls,
    ],
  },
  instance: {
    title: "Instance",
    about: "Logs in and reads version, revision and build",
    icon: "deployment",
    prefill: { type: "instance", retries: 1 },
    fields: [
      {
        key: "username",
        label: "User name",
        kind: "text",
        hint: "An account with few rights is enough",
      },
      { key: "password", label: "Password", kind: "secret" },
      {
        key: "path",
        label: "Path",
        kind: "text",
        placeholder: "/api/system/info",
        isRare: true,
      },
      { ...slow, isRare: true },
      ...attempts,
      ...tls,
    ],
  },
  tcp: {
    title: "TCP",
    about: "Opens a connection to a port",
    icon: "pool",
    prefill: { type: "tcp" },
    fields: [
      host,
      port,
      { key: "send", label: "Send", kind: "text", isRare: true },
      { key: "contains", label: "The answer holds", kind: "text", isRare: true },
      { ...slow, isRare: true },
      ...attempts,
    ],
  },
  dns: {
    title: "DNS",
    about: "Asks for a record of a name",
    icon: "book",
    prefill: { type: "dns" },
    fields: [
      host,
      {
        key: "record",
        label: "Record",
        kind: "choice",
        choices: ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "CAA", "SOA", "PTR"],
      },
      {
        key: "expected",
        label: "Expected answers",
        kind: "list",
        hint: "With commas between them",
      },
      { key: "server", label: "Name server", kind: "text", placeholder: "9.9.9.9", isRare: true },
      { ...slow, isRare: true },
      ...attempts,
    ],
  },
  tls: {
    title: "Certificate",
    about: "Looks at the certificate alone",
    icon: "check",
    prefill: { type: "tls", tls_warn_days: 14 },
    fields: [
      {
        key: "tls_warn_days",
        label: "Warn before it ends (days)",
        kind: "number",
      },
      host,
      port,
      { key: "servername", label: "Name on the certificate", kind: "text", isRare: true },
      { ...slow, isRare: true },
      ...attempts,
    ],
  },
  ping: {
    title: "Ping",
    about: "Measures how long a connection takes",
    icon: "monitor",
    prefill: { type: "ping" },
    fields: [
      host,
      port,
      { key: "count", label: "How many", kind: "number" },
      { ...slow, isRare: true },
      ...attempts,
    ],
  },
  heartbeat: {
    title: "Heartbeat",
    about: "Your job calls us; silence is down",
    icon: "clock",
    prefill: { type: "heartbeat" },
    fields: [
      { key: "period", label: "Calls every (s)", kind: "number", hint: "Else the interval" },
      { key: "grace", label: "May be late by (s)", kind: "number", placeholder: "60" },
    ],
  },
};

export const CHECK_TYPES_SHOWN = Object.keys(CHECK_FORMS) as CheckType[];
