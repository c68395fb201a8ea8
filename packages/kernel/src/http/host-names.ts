// DNS rebinding: the owner of a name can make it lead to this machine once a page under that name
// is loaded. Browsers then take the server for that page's own, whatever method it asks with.

import { isIP } from "node:net";
import type { SettingType } from "../config/setting-types.ts";

/**
 * The names that a server answers to besides addresses and `localhost`; `*.lan` is any name below.
 */
export type HostNames = "*" | readonly string[];

const NONE: readonly string[] = Object.freeze([]);
const NAME = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/;
/** A name or an address in brackets, then perhaps a port. */
const HOST = /^(\[[\da-f:.%\w]+\]|[^:[\]@/\s]+)(?::\d{1,5})?$/;
/** Clients use few different hosts; addresses make their number unbounded. */
const MAX_REMEMBERED = 1000;

export const hostNames: SettingType<HostNames> = {
  expected:
    "none, * for any, or a comma-separated list of host names such as orchestrator, *.example.com",
  parse(given) {
    const text = given.trim().toLowerCase();
    if (text === "*") return "*";
    if (text === "none") return NONE;
    const names = text.split(",").map((name) => name.trim().replace(/\.$/, ""));
    return names.every((name) => NAME.test(name)) ? Object.freeze(names) : undefined;
  },
  format: (value) => (value === "*" ? value : value.join(",") || "none"),
};

/**
 * Whether a request may name this host, as its header `Host` does: with the port, if it has one.
 */
export function createHostCheck(names: HostNames): (host: string) => boolean {
  if (names === "*") return () => true;
  const listed = new Set(names.map((name) => name.toLowerCase()));
  const parents = [...listed].filter((name) => name.startsWith("*.")).map((name) => name.slice(1));
  const remembered = new Set<string>();

  const isKnown = (host: string): boolean => {
    const name = HOST.exec(host.toLowerCase())?.[1]?.replace(/\.$/, "");
    if (name === undefined) return false;
    return (
      isIP(name.replace(/^\[|\]$/g, "")) !== 0 ||
      name === "localhost" ||
      // Browsers and resolvers look these up nowhere.
      name.endsWith(".localhost") ||
      listed.has(name) ||
      parents.some((parent) => name.endsWith(parent))
    );
  };

  return (host) => {
    if (remembered.has(host)) return true;
    if (!isKnown(host)) return false;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.add(host);
    return true;
  };
}
