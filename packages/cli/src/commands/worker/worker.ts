import type { Command } from "commander";
import { noun } from "../../io/command.ts";
import { ls } from "./ls.ts";
import { start } from "./start.ts";

export function workerCommand(): Command {
  return noun("worker", "Carry out the runs of a work pool", [start(), ls()]);
}
