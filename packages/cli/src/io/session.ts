import type * as ClientLibrary from "@orchestrator/client/node";
import type { OrchestratorClient, UptimeClient } from "@orchestrator/client/node";
import type { Command } from "commander";

/** What every command can count on: the servers it speaks to, and how it is to speak to people. */
export interface Session {
  readonly client: OrchestratorClient;
  readonly uptime: UptimeClient;
  /** Print JSON and nothing else on stdout. */
  readonly json: boolean;
  /** Whether somebody can be asked. */
  readonly canAsk: boolean;
}

let library: typeof ClientLibrary | undefined;

/** Before a command is carried out, and not before: help needs no client and comes at once. */
export async function loadClient(): Promise<void> {
  library ??= await import("@orchestrator/client/node");
}

function clientLibrary(): typeof ClientLibrary {
  if (library === undefined) throw new Error("The client was not loaded");
  return library;
}

interface GlobalOptions {
  readonly profile?: string;
  readonly prompt?: boolean;
  readonly json?: boolean;
  readonly output?: string;
}

/** Somebody waits for the answer, also when it is that there is no server. */
const RETRIES = 2;

/** The clients are made when they are first used, so that a broken profile does not keep `profile` from working. */
export function sessionOf(command: Command): Session {
  const { profile, prompt, json, output } = command.optsWithGlobals<GlobalOptions>();
  let client: OrchestratorClient | undefined;
  let uptime: UptimeClient | undefined;
  return {
    get client() {
      client ??= clientLibrary().createClient({ profile, retries: RETRIES });
      return client;
    },
    get uptime() {
      uptime ??= clientLibrary().createUptimeClient({ profile, retries: RETRIES });
      return uptime;
    },
    json: json === true || output === "json",
    canAsk: prompt !== false && process.stdin.isTTY === true && process.stderr.isTTY === true,
  };
}
