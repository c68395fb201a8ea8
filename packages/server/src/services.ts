import {
  kernelMigrations,
  type MigrationList,
  type Service,
  type ServiceHost,
  viewSettings,
} from "@orchestrator/kernel";
import { createOrchestrator, orchestratorMigrations } from "@orchestrator/orchestrator";
import { createUptime, monitorCommands, uptimeMigrations } from "@orchestrator/uptime";
import { type ProgramSettings, programSettings, type ServiceName } from "./settings.ts";

interface ServiceKind {
  readonly migrations: readonly MigrationList[];
  readonly create: (host: ServiceHost, settings: ProgramSettings) => Service;
}

/** The services a process can be made of. */
const SERVICES: Readonly<Record<ServiceName, ServiceKind>> = {
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

export function migrationsOf(names: readonly ServiceName[]): MigrationList[] {
  return [kernelMigrations, ...names.flatMap((name) => SERVICES[name].migrations)];
}

export function createServices(host: ServiceHost, settings: ProgramSettings): Service[] {
  return settings.server.services.map((name) => SERVICES[name].create(host, settings));
}
