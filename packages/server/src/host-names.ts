import type { HostNames } from "@orchestrator/kernel/http";
import type { ProgramSettings } from "./settings.ts";

/** Where people are told to open the pages of this server. */
export function ownUrls({ orchestrator, accounts, uptime }: ProgramSettings): readonly string[] {
  return [orchestrator.uiUrl, accounts.publicUrl, uptime.publicUrl].filter((url) => url !== null);
}

/**
 * The names by which the server answers. Where it asks for credentials a page under a foreign name
 * has none to send, so any name will do there unless the operator lists them.
 */
export function hostNamesOf(settings: ProgramSettings): HostNames {
  const { authMode, allowedHosts, corsOrigins, host } = settings.server;
  if (allowedHosts === "*" || corsOrigins === "*") return "*";
  if (allowedHosts === null && authMode !== "open") return "*";
  const urls = [...ownUrls(settings), ...corsOrigins];
  return [...(allowedHosts ?? []), host, ...urls.map((url) => new URL(url).hostname)];
}
