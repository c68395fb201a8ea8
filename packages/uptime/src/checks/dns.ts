import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { Model, StringEnum } from "@orchestrator/contract";
import { OutboundError, refusalOf } from "@orchestrator/outbound";
import { Type } from "typebox";
import { type CheckAttempt, type CheckOutcome, defineCheck } from "./check.ts";
import { endpointOf } from "./endpoint.ts";
import { failedOutcome, outcomeOf, roundMs, slowness } from "./outcome.ts";
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
import { printableLine } from "./printable-line.ts";

const DNS_RECORDS = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "CAA", "SOA", "PTR"] as const;
type RecordType = (typeof DNS_RECORDS)[number];

const DnsCheck = Model(
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

const DEFAULTS = { record: "A", ...attemptDefaults } as const;

const MAX_RECORDS = 20;

/** Asks a name server, and compares what it says. */
export const dnsCheck = defineCheck(DnsCheck, {
  title: "DNS",
  about: "Asks for a record of a name",
  icon: "book",
  defaults: DEFAULTS,
  fields: [
    hostField,
    { key: "record", label: "Record", kind: "choice" },
    { key: "expected", label: "Expected answers", kind: "list", hint: "With commas between them" },
    { key: "server", label: "Name server", kind: "text", placeholder: "9.9.9.9", rare: true },
    { ...slowField, rare: true },
    ...attemptFields,
  ],

  async attempt(config, { url }, run) {
    const { record = DEFAULTS.record, expected = [] } = config;
    const startedAt = performance.now();
    try {
      const { host } = endpointOf(url, { host: config.host, port: 0 });
      const answers = await ask(host, record, { server: config.server, run });
      const elapsedMs = performance.now() - startedAt;
      const known = new Set(answers.flatMap(spellings));
      const missing = expected.filter((value) => !known.has(normal(value)));
      return outcomeOf(
        [
          { status: "up", text: `${answers.length} ${record}` },
          ...missing.map((value) => ({
            status: "down" as const,
            text: `${printableLine(value, run.hide)} is missing`,
          })),
          ...slowness(elapsedMs, config.degraded_after_ms),
        ],
        {
          record,
          answers: answers
            .slice(0, MAX_RECORDS)
            .map((answer) => printableLine(answer, run.hide, 255)),
          timings: { dns: roundMs(elapsedMs) },
        },
      );
    } catch (error) {
      return failedQuestion(error, record, run);
    }
  },
});

interface Asking {
  readonly server: string | undefined;
  readonly run: CheckAttempt;
}

async function ask(
  host: string,
  record: RecordType,
  { server, run }: Asking,
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: Math.ceil(run.timeoutMs), tries: 1 });
  if (server !== undefined) resolver.setServers([permitted(server, run)]);
  const isAddress = isIP(host) !== 0;
  if (isAddress && record !== "PTR")
    throw new OutboundError("invalid", "The host is an address and not a name");
  const stop = (): void => resolver.cancel();
  run.signal.addEventListener("abort", stop, { once: true });
  if (run.signal.aborted) throw new OutboundError("timeout", "There was no answer in time");
  try {
    return isAddress ? await resolver.reverse(host) : await records(resolver, host, record);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "ECANCELLED") throw error;
    throw new OutboundError("timeout", "There was no answer in time");
  } finally {
    run.signal.removeEventListener("abort", stop);
  }
}

/** The server to ask, which must be one that may be called. */
function permitted(server: string, { policy }: CheckAttempt): string {
  const [, bracketed, bracketPort] = /^\[(.+)\](?::(\d{1,5}))?$/.exec(server) ?? [];
  const [, plain, plainPort] = /^([\d.]+):(\d{1,5})$/.exec(server) ?? [];
  const address = bracketed ?? plain ?? server;
  const port = Number(bracketPort ?? plainPort ?? 53);
  if (isIP(address) === 0 || port < 1 || port > 65_535)
    throw new OutboundError("invalid", "The name server is not given by its address");
  const refusal = refusalOf({ host: address, address }, policy);
  if (refusal !== null) throw new OutboundError("refused", refusal);
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

async function records(
  resolver: Resolver,
  host: string,
  record: RecordType,
): Promise<readonly string[]> {
  switch (record) {
    case "A":
      return resolver.resolve4(host);
    case "AAAA":
      return resolver.resolve6(host);
    case "CNAME":
      return resolver.resolveCname(host);
    case "NS":
      return resolver.resolveNs(host);
    case "PTR":
      return resolver.resolvePtr(host);
    case "TXT":
      return (await resolver.resolveTxt(host)).map((parts) => parts.join(""));
    case "MX":
      return (await resolver.resolveMx(host)).map((mx) => `${mx.priority} ${mx.exchange}`);
    case "SRV":
      return (await resolver.resolveSrv(host)).map(
        ({ priority, weight, port, name }) => `${priority} ${weight} ${port} ${name}`,
      );
    case "CAA":
      return (await resolver.resolveCaa(host)).map(({ critical, ...rest }) => {
        const [[tag, value] = ["", ""]] = Object.entries(rest);
        return `${critical} ${tag} ${String(value)}`;
      });
    case "SOA": {
      const { nsname, hostmaster, serial } = await resolver.resolveSoa(host);
      return [`${nsname} ${hostmaster} ${serial}`];
    }
  }
}

/** A record may be expected as a whole, or by its last word: the host of an MX or SRV record. */
function spellings(answer: string): readonly string[] {
  return [normal(answer), normal(answer.split(" ").at(-1) ?? "")];
}

const normal = (text: string): string => text.trim().toLowerCase().replace(/\.$/, "");

const NO_RECORD = new Set(["ENOTFOUND", "ENODATA"]);

function failedQuestion(error: unknown, record: RecordType, run: CheckAttempt): CheckOutcome {
  if (error instanceof OutboundError) return failedOutcome(error, run, { details: { record } });
  const given = String((error as { readonly code?: unknown } | null)?.code);
  const code = /^[A-Z0-9_]{1,64}$/.test(given) ? given : "unknown";
  const known = NO_RECORD.has(code)
    ? new OutboundError("invalid", `There is no ${record} record (${code})`, code)
    : new OutboundError("unreachable", `The name server did not answer (${code})`, code);
  return failedOutcome(known, run, { details: { record } });
}
