import type { OrchestratorClient, UptimeClient } from "@orchestrator/client/node";
import type { Command } from "commander";
import { clientLibrary } from "./client-library.ts";
import { EXACT_JSON_FORMAT } from "./exact-answers.ts";

/** What every command can count on: the servers it speaks to, and how it is to speak to people. */
export interface CliSession {
  readonly client: OrchestratorClient;
  readonly uptime: UptimeClient;
  /** Print JSON and nothing else on stdout. */
  readonly json: boolean;
  /** Whether somebody can be asked. */
  readonly canAsk: boolean;
  /**
   * How many rows a list has at most though nobody has said so; null where somebody has, or it has
   * as many as there are.
   */
  readonly usualLimit: number | null;
}

interface GlobalOptions {
  readonly profile?: string;
  readonly prompt?: boolean;
  readonly json?: boolean;
  readonly output?: string;
}

/** Somebody waits for the answer, also when it is that there is no server. */
const RETRIES = 2;

/**
 * The clients are made when they are first used, so that a broken profile does not keep `profile`
 * from working.
 */
export function sessionOf(command: Command): CliSession {
  const { profile, prompt, json, output } = command.optsWithGlobals<GlobalOptions>();
  let client: OrchestratorClient | undefined;
  let uptime: UptimeClient | undefined;
  return {
    get client() {
      client ??= clientLibrary().createClient({
        profile,
        retries: RETRIES,
        json: EXACT_JSON_FORMAT,
      });
      return client;
    },
    get uptime() {
      uptime ??= clientLibrary().createUptimeClient({
        profile,
        retries: RETRIES,
        json: EXACT_JSON_FORMAT,
      });
      return uptime;
    },
    json: json === true || output === "json",
    canAsk: prompt !== false && process.stdin.isTTY === true && process.stderr.isTTY === true,
    usualLimit:
      command.getOptionValueSource("limit") === "default"
        ? (command.getOptionValue("limit") as number)
        : null,
  };
}
