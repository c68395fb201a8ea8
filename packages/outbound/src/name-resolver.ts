// Names to addresses by asking the name servers directly. The operating system's own way takes one
// of four threads for as long as an answer takes, so that a few dead names would hold up everybody.

import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { abortable, type HostResolver } from "./host-resolver.ts";
import { OutboundError } from "./outbound-error.ts";
import {
  parseHosts,
  parseResolverFile,
  type ResolverFile,
  spelledOut,
  watchedFile,
} from "./system-names.ts";

export interface NameResolverOptions {
  readonly hostsFile: string;
  readonly resolverFile: string;
  /** Name servers to ask instead of those of this machine, as `address` or `address:port`. */
  readonly servers?: readonly string[];
}

const FILES = { hostsFile: "/etc/hosts", resolverFile: "/etc/resolv.conf" };
const ASK = { timeout: 2000, tries: 3 };
/** How long the second family of addresses is waited for once the first is there. */
const OTHER_FAMILY_MS = 50;

/** Reads the hosts file of this machine first, as everybody expects. */
export function createNameResolver(options: NameResolverOptions = FILES): HostResolver {
  const hosts = watchedFile(options.hostsFile, parseHosts);
  // A resolver knows the servers of the moment it was made: a new one when the file changes.
  const setUp = watchedFile(options.resolverFile, (text) => {
    const resolver = new Resolver(ASK);
    if (options.servers !== undefined) resolver.setServers(options.servers);
    return { ...parseResolverFile(text), resolver };
  });
  return async (given, signal) => {
    const host = given.toLowerCase();
    const known = hosts().get(host.replace(/\.$/, "")) ?? localhost(host);
    if (known !== null) return known;
    if (!/^(?=.{1,254}$)[^.\s]{1,63}(?:\.[^.\s]{1,63})*\.?$/.test(host))
      throw new OutboundError("invalid", "The name of the host is not one");
    const { resolver, ...file } = setUp();
    return abortable(askEach(resolver, host, file), signal);
  };
}

function localhost(host: string): readonly string[] | null {
  return /(?:^|\.)localhost\.?$/.test(host) ? ["127.0.0.1", "::1"] : null;
}

async function askEach(
  resolver: Resolver,
  host: string,
  file: ResolverFile,
): Promise<readonly string[]> {
  let code = "ENOTFOUND";
  for (const name of spelledOut(host, file)) {
    if (isIP(name) !== 0) return [name];
    try {
      return await ask(resolver, name);
    } catch (error) {
      code = codeOf(error);
      if (code !== "ENOTFOUND" && code !== "ENODATA" && code !== "ESERVFAIL") break;
    }
  }
  throw new OutboundError("unreachable", `The name of the host cannot be resolved (${code})`, code);
}

async function ask(resolver: Resolver, name: string): Promise<readonly string[]> {
  const other = resolver.resolve6(name).catch((error: unknown) => error);
  let first: string[] = [];
  let failure: unknown = null;
  try {
    first = await resolver.resolve4(name);
  } catch (error) {
    failure = error;
  }
  if (first.length === 0) {
    const second = await other;
    if (Array.isArray(second) && second.length > 0) return second as string[];
    throw failure ?? second;
  }
  const { promise, stop } = pause(OTHER_FAMILY_MS);
  const second = await Promise.race([other, promise]);
  stop();
  return Array.isArray(second) ? [...first, ...(second as string[])] : first;
}

function pause(ms: number): { readonly promise: Promise<null>; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  return { promise, stop: () => clearTimeout(timer) };
}

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" && /^[A-Z0-9_]{1,64}$/.test(code) ? code : "unknown";
}
