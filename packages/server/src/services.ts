import {
  type AccountsGate,
  accountsMigrations,
  createAccounts,
  listAllWorkspaceIds,
} from "@orchestrator/accounts";
import {
  type AuthMode,
  openScope,
  type Service,
  type ServiceHost,
} from "@orchestrator/kernel/scope";
import { viewSettings } from "@orchestrator/kernel/settings";
import { kernelMigrations, type MigrationList } from "@orchestrator/kernel/storage";
import { createOrchestrator, orchestratorMigrations } from "@orchestrator/orchestrator";
import { createUptime, monitorCommands, uptimeMigrations } from "@orchestrator/uptime";
import { publicUrlOf } from "./gate.ts";
import { type ProgramServiceName, type ProgramSettings, programSettings } from "./settings.ts";

interface ServiceKind {
  readonly migrations: readonly MigrationList[];
  readonly create: (host: ServiceHost, settings: ProgramSettings) => Service;
}

/** The services a process can be made of. */
const SERVICES: Readonly<Record<ProgramServiceName, ServiceKind>> = {
  orchestrator: {
    migrations: [orchestratorMigrations],
    create: (host, settings) =>
      createOrchestrator(host, {
        dialect: settings.server.dialect,
        settings: settings.orchestrator,
        settingsView: viewSettings(programSettings.definitions, settings),
        monitors: monitorCommands(settings.uptime),
      }),
  },
  uptime: {
    migrations: [uptimeMigrations],
    create: (host, settings) => createUptime(host, settings.uptime),
  },
};

export function migrationsOf(
  names: readonly ProgramServiceName[],
  authMode: AuthMode = "open",
): MigrationList[] {
  const own = authMode === "accounts" ? [accountsMigrations] : [];
  return [kernelMigrations, ...own, ...names.flatMap((name) => SERVICES[name].migrations)];
}

export function createServices(host: ServiceHost, settings: ProgramSettings): Service[] {
  const services = settings.server.services.map((name) => SERVICES[name].create(host, settings));
  if (host.gate.mode !== "accounts") return services;
  const accounts = createAccounts(host, {
    gate: host.gate as AccountsGate,
    settings: settings.accounts,
    publicUrl: publicUrlOf(settings),
    auditSettings: settings.audit,
    prepareWorkspace: (workspaceId) => prepareWorkspace(services, workspaceId),
  });
  return [accounts, ...services];
}

/** Every workspace there is. */
export async function listServedWorkspaceIds({ gate, db }: ServiceHost): Promise<string[]> {
  return gate.mode === "accounts" ? listAllWorkspaceIds(db) : [openScope("start").workspaceId];
}

export async function prepareWorkspace(
  services: readonly Service[],
  workspaceId: string,
): Promise<void> {
  for (const service of services) await service.prepareWorkspace?.(workspaceId);
}
