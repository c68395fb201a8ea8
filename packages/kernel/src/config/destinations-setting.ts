import { receiveDestination } from "@orchestrator/outbound";
import type { SettingType } from "./setting-types.ts";

/** Hosts and addresses by comma, for an outbound policy. */
export const destinations: SettingType<readonly string[]> = {
  expected:
    "a comma-separated list of host names, addresses and CIDR ranges such as chat.lan, 10.0.0.5, 192.168.0.0/16",
  parse(given) {
    const entries = given.split(",").map(receiveDestination);
    const known = entries.filter((entry) => entry !== undefined);
    return known.length === entries.length ? Object.freeze(known) : undefined;
  },
  format: (value) => value.join(","),
};
