import { FairShare, type HttpApp, installFairShare } from "@orchestrator/kernel/http";
import type { Logger, Metrics } from "@orchestrator/kernel/log";
import { expensiveOn } from "./expensive-requests.rules.ts";
import type { ProgramSettings } from "./settings.ts";

const ANY = { perWorkspace: 0, expensivePerWorkspace: 0 };

/**
 * Holds keys to their shares of the server unless it is open, and workspaces where there are
 * several of them.
 */
export function limitToFairShares(
  app: HttpApp,
  { server: { authMode }, fairShare }: ProgramSettings,
  parts: { readonly log: Logger; readonly metrics: Metrics },
): void {
  const limits = authMode === "accounts" ? fairShare : { ...fairShare, ...ANY };
  const share = authMode === "open" ? null : new FairShare(limits);
  installFairShare(app, { ...parts, share, expensive: expensiveOn });
}
