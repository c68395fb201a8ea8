import {
  FairShare,
  type HttpApp,
  installFairShare,
  type Logger,
  type Metrics,
} from "@orchestrator/kernel";
import { expensiveOn } from "./expensive-requests.rules.ts";
import type { ProgramSettings } from "./settings.ts";

const ANY = { perWorkspace: 0, expensivePerWorkspace: 0 };

/** Holds keys to their shares of the server, and workspaces where there are several to be protected from each other. */
export function holdToShares(
  app: HttpApp,
  { server: { authMode }, fairShare }: ProgramSettings,
  parts: { readonly log: Logger; readonly metrics: Metrics },
): void {
  if (authMode === "open") return;
  const share = new FairShare(authMode === "accounts" ? fairShare : { ...fairShare, ...ANY });
  installFairShare(app, { ...parts, share, expensive: expensiveOn });
}
