import { isIP } from "node:net";
import type { SettingType } from "../config/setting-types.ts";

const NONE: readonly string[] = Object.freeze([]);

/**
 * The addresses of those who may say on whose behalf a request comes; of anybody else's word
 * nothing is taken.
 */
export const trustedProxies: SettingType<readonly string[]> = {
  expected: "none, or a comma-separated list of addresses and ranges such as 127.0.0.1, 10.0.0.0/8",
  parse(given) {
    if (given.trim() === "none") return NONE;
    const entries = given.split(",").map((entry) => entry.trim());
    return entries.every(isRange) ? Object.freeze(entries) : undefined;
  },
  format: (value) => value.join(",") || "none",
};

function isRange(entry: string): boolean {
  const [address = "", bits, ...more] = entry.split("/");
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (most === undefined || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
}
