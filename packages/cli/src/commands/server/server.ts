import { Command } from "commander";
import { databaseCommand } from "./database.ts";
import { resealSecretsCommand } from "./reseal-secrets.ts";
import { retireKeysCommand } from "./retire-keys.ts";
import { rotateKeyCommand } from "./rotate-key.ts";
import { servicesCommand } from "./services.ts";
import { settingsCommand } from "./settings.ts";
import { startCommand } from "./start.ts";
import { statusCommand } from "./status.ts";
import { stopCommand } from "./stop.ts";

export function serverCommand(): Command {
  return new Command("server")
    .description("Run and look after the server")
    .addCommand(startCommand())
    .addCommand(stopCommand())
    .addCommand(statusCommand())
    .addCommand(servicesCommand())
    .addCommand(databaseCommand())
    .addCommand(settingsCommand())
    .addCommand(rotateKeyCommand())
    .addCommand(resealSecretsCommand())
    .addCommand(retireKeysCommand());
}
