import { Command } from "commander";
import { resealSecretsCommand } from "./reseal-secrets.ts";
import { retireKeysCommand } from "./retire-keys.ts";
import { rotateKeyCommand } from "./rotate-key.ts";
import { settingsCommand } from "./settings.ts";
import { startCommand } from "./start.ts";

export function serverCommand(): Command {
  return new Command("server")
    .description("Run and look after the server")
    .addCommand(startCommand())
    .addCommand(settingsCommand())
    .addCommand(rotateKeyCommand())
    .addCommand(resealSecretsCommand())
    .addCommand(retireKeysCommand());
}
