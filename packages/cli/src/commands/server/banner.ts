import type { ProgramSettings, RunningServer } from "@orchestrator/server";

interface BannerFacts {
  readonly version: string;
  readonly seconds: number;
  readonly server: RunningServer;
  readonly settings: ProgramSettings;
}

const LOOPBACK = /^(127\.|localhost$|::1$)/;

/** Where to go, once the server is up. */
export function banner({ version, seconds, server, settings }: BannerFacts): string {
  const { services, host } = settings.server;
  const { url } = server;
  const rows: [string, string][] = [];
  if (services.includes("orchestrator"))
    rows.push(["API", `${url}/api`], ["Docs", `${url}/api/docs`]);
  if (services.includes("uptime")) rows.push(["Uptime API", `${url}/uptime/api`]);
  rows.push(["UI", `${url}/`], ["Data folder", settings.home], ["Database", server.database]);
  for (const { label, text } of server.notices) rows.push([label, text]);
  const lines = rows.map(([label, value]) => `  ${label.padEnd(13)}${value}`);
  const warning =
    LOOPBACK.test(host) || !services.includes("orchestrator")
      ? []
      : [
          "",
          `  WARNING: ${host} can be reached from the network, and the orchestration API asks nobody for credentials.`,
        ];
  return `\nOrchestrator ${version} is ready (${seconds.toFixed(1)} s)\n\n${[...lines, ...warning].join("\n")}\n\n`;
}
