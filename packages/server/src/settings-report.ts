import {
  type Env,
  findUnknownSettings,
  listSettings,
  maskUrl,
  type SettingGroup,
  settingsReference,
} from "@orchestrator/kernel/settings";
import { programSettings } from "./settings.ts";

/** Names that other parts of the program read. */
const READ_ELSEWHERE = [
  "ORCHESTRATOR_API_URL",
  "ORCHESTRATOR_API_KEY",
  "ORCHESTRATOR_API_AUTH_STRING",
  "ORCHESTRATOR_PROFILE",
  "ORCHESTRATOR_OFFLINE",
  "ORCHESTRATOR_SDK_LOG_LEVEL",
  "ORCHESTRATOR_SDK_LOG_PRINT",
  "ORCHESTRATOR_SDK_HEARTBEAT_SECONDS",
  "ORCHESTRATOR_SDK_DELIVERY_SECONDS",
  "ORCHESTRATOR_WORKER_HEALTH_HOST",
  "ORCHESTRATOR_WORKER_HEALTH_PORT",
];

export interface SettingInForce {
  readonly name: string;
  readonly value: string;
  readonly source: "environment" | "default";
  readonly summary: string;
}

/** Every setting with its value, secrets hidden; throws when one cannot be used. */
export function settingsInForce(env: Env): SettingInForce[] {
  programSettings.read({ env });
  return listSettings(programSettings.definitions).map(({ name, summary, secret, defaultText }) => {
    const given = env[name] || undefined;
    const value =
      given === undefined ? (defaultText ?? "not set") : secret ? "********" : maskUrl(given);
    return { name, value, source: given === undefined ? "default" : "environment", summary };
  });
}

/** One sentence for each variable that looks like a setting and is none. */
export function unknownSettingWarnings(env: Env): string[] {
  const unknown = findUnknownSettings({
    env,
    definitions: programSettings.definitions,
    knownElsewhere: READ_ELSEWHERE,
    prefixes: ["ORCHESTRATOR_", "UPTIME_"],
  });
  return unknown.map(({ message }) => message);
}

/** Chapters of the reference page. A new group of settings does not compile until it has one. */
const CHAPTERS: Readonly<Record<keyof typeof programSettings.definitions, string>> = {
  home: "Data folder",
  server: "Server",
  database: "Database",
  disk: "Disk space",
  log: "Log",
  secrets: "Sealing key",
  accounts: "Accounts",
  audit: "Audit log",
  fairShare: "Fair shares",
  limits: "Rate limits",
  quotas: "Quotas",
  orchestrator: "Orchestration",
  uptime: "Uptime",
};

const INTRODUCTION = `# Settings

Set them in the environment of the server. Flags of \`orchestrator server start\` win over them.
\`orchestrator server settings\` shows the values in force, secrets masked; with \`--json\` also where they come from.
A name that looks like a setting and is none gives a warning.

This page is generated from the definitions in the code.
`;

/** The reference page of all settings, in Markdown. */
export function settingsPage(): string {
  const groups: Readonly<Record<string, SettingGroup[string]>> = programSettings.definitions;
  const chapters = Object.entries(CHAPTERS).map(([key, title]) => {
    const group = groups[key];
    return group && `## ${title}\n\n${settingsReference({ [key]: group })}`;
  });
  return [INTRODUCTION, ...chapters].join("\n");
}
