// What this machine knows about names: its hosts file, and how its resolver is set up.

import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

export interface ResolverFile {
  readonly search: readonly string[];
  /** Names with fewer dots are tried with the search domains first. */
  readonly dots: number;
}

const MAX_FILE_BYTES = 1_048_576;
const MAX_SEARCH = 6;

/** Addresses by name, IPv4 before IPv6. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*$/, "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      const known = hosts.get(key) ?? [];
      if (!known.includes(address)) hosts.set(key, [...known, address]);
    }
  }
  for (const addresses of hosts.values()) addresses.sort((a, b) => isIP(a) - isIP(b));
  return hosts;
}

export function parseResolverFile(text: string): ResolverFile {
  let search: readonly string[] = [];
  let dots = 1;
  for (const line of text.split("\n")) {
    const [word, ...rest] = line
      .replace(/[#;].*$/, "")
      .trim()
      .split(/\s+/);
    if (word === "search" || word === "domain")
      search = rest.slice(0, MAX_SEARCH).map((domain) => domain.replace(/^\.|\.$/g, ""));
    if (word !== "options") continue;
    const given = rest.find((option) => /^ndots:\d{1,2}$/.test(option));
    if (given !== undefined) dots = Number(given.slice("ndots:".length));
  }
  return { search: search.filter((domain) => domain !== ""), dots };
}

/** The names to ask for, one after the other, for a name that somebody wrote. */
export function spelledOut(host: string, { search, dots }: ResolverFile): readonly string[] {
  if (host.endsWith(".")) return [host.slice(0, -1)];
  const longer = search.map((domain) => `${host}.${domain}`);
  return host.split(".").length > dots ? [host, ...longer] : [...longer, host];
}

/** What a file says, read again when it has changed. A file that is missing is an empty one. */
export function watchedFile<T>(path: string, parse: (text: string) => T): () => T {
  const LOOK_AGAIN_MS = 5000;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let version = "";
  let value = parse("");
  return () => {
    if (performance.now() - lookedAt < LOOK_AGAIN_MS) return value;
    lookedAt = performance.now();
    try {
      const { mtimeMs, size, ino } = statSync(path);
      const found = `${mtimeMs} ${size} ${ino}`;
      if (found === version) return value;
      value = parse(size > MAX_FILE_BYTES ? "" : readFileSync(path, "utf8"));
      version = found;
    } catch {
      if (version !== "") value = parse("");
      version = "";
    }
    return value;
  };
}
