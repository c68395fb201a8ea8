import { TaggedUnion } from "@orchestrator/contract";
import type { Static } from "typebox";
import type { Check } from "./check.ts";
import { dns } from "./dns.ts";
import { heartbeat } from "./heartbeat.ts";
import { http } from "./http.ts";
import { instance } from "./instance.ts";
import { ping } from "./ping.ts";
import { tcp } from "./tcp.ts";
import { tls } from "./tls.ts";

/** Every type of check there is, in the order in which a form offers them. */
export const CHECKS = [http, instance, tcp, dns, tls, ping, heartbeat] as const;

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

const BY_TYPE = new Map<string, Check>(CHECKS.map((check) => [check.type, check]));

/** How a check is done; null for one that a newer server has stored. */
export function findCheck<Config extends CheckConfig>({ type }: Config): Check<Config> | null {
  // What has passed the schema has the options of its type.
  return (BY_TYPE.get(type) as Check<Config> | undefined) ?? null;
}
