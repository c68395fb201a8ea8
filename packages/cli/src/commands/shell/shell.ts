import type { Command } from "commander";
import { noun } from "../../io/command.ts";
import { serve } from "./serve.ts";
import { watch } from "./watch.ts";

export function shellCommand(): Command {
  return noun("shell", "Run commands of the shell as flow runs", [watch(), serve()]);
}
