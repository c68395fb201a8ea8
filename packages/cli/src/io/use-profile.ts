import type { Command } from "commander";

/** The profile that `-p` names, for what finds its server by itself. */
export function useProfile(command: Command): void {
  const { profile } = command.optsWithGlobals<{ readonly profile?: string }>();
  if (profile !== undefined) process.env["ORCHESTRATOR_PROFILE"] = profile;
}
