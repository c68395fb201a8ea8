import type { ProgramSettings, RunningServer } from "@orchestrator/server";
import { LOCAL_POOL } from "./local-pool.ts";

interface BannerFacts {
  readonly version: string;
  readonly seconds: number;
  readonly server: RunningServer;
  readonly settings: ProgramSettings;
  readonly hasWorker: boolean;
}

export const bannerLine = (label: string, value: string): string => `  ${label.padEnd(13)}${value}`;

/** Where to go, once the server is up. */
export function banner({ version, seconds, server, settings, hasWorker }: BannerFacts): string {
  const { services, host, authMode } = settings.server;
  const { url } = server;
  const rows: [string, string][] = [];
  if (services.includes("orchestrator"))
    rows.push(["API", `${url}/api`], ["Docs", `${url}/api/docs`]);
  if (services.includes("uptime")) rows.push(["Uptime API", `${url}/uptime/api`]);
  rows.push(["UI", `${url}/`], ["Data folder", settings.home], ["Database", server.database]);
  if (hasWorker) rows.push(["Worker", `carries out the runs of the work pool ${LOCAL_POOL}`]);
  const lines = rows.map(([label, value]) => bannerLine(label, value));
  const warning =
    authMode !== "open" || server.isLocal || !services.includes("orchestrator")
      ? []
      : [
          "",
          `  WARNING: ${host} can be reached from the network, and the orchestration API asks nobody for credentials.`,
          "  Set ORCHESTRATOR_SERVER_AUTH_STRING, or ORCHESTRATOR_SERVER_AUTH_MODE=accounts, or listen on 127.0.0.1.",
        ];
  return `\nOrchestrator ${version} is ready (${seconds.toFixed(1)} s)\n\n${[...lines, ...warning].join("\n")}\n\n`;
}
