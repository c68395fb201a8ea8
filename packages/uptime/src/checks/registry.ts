import { TaggedUnion } from "@orchestrator/contract";
import type { Static } from "typebox";
import type { CheckType } from "./check.ts";
import { dnsCheck } from "./dns.ts";
import { heartbeatCheck } from "./heartbeat.ts";
import { httpCheck } from "./http.ts";
import { instanceCheck } from "./instance.ts";
import { pingCheck } from "./ping.ts";
import { tcpCheck } from "./tcp.ts";
import { tlsCheck } from "./tls.ts";

/** Every type of check there is, in the order in which a form offers them. */
export const CHECKS = [
  httpCheck,
  instanceCheck,
  tcpCheck,
  dnsCheck,
  tlsCheck,
  pingCheck,
  heartbeatCheck,
] as const;

/** One check of a pipeline, with the options of its type and no others. */
export const CheckConfig = TaggedUnion(
  "type",
  CHECKS.map(({ schema }) => schema),
  { $id: "CheckConfig", description: "One check of a pipeline" },
);
export type CheckConfig = Static<typeof CheckConfig>;

/** What a monitor without checks does. */
export const PLAIN: readonly CheckConfig[] = [{ type: "http" }];

export type ConfigOf<Type extends CheckConfig["type"]> = Extract<
  CheckConfig,
  { readonly type: Type }
>;

const BY_TYPE = new Map<string, CheckType>(CHECKS.map((check) => [check.type, check]));

/** How a check is done; null for one that a newer server has stored. */
export function findCheck<Config extends CheckConfig>({ type }: Config): CheckType<Config> | null {
  // What has passed the schema has the options of its type.
  return (BY_TYPE.get(type) as CheckType<Config> | undefined) ?? null;
}
