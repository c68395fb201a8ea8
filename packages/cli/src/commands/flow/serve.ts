import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { pair } from "../../io/options.ts";
import { say } from "../../io/print.ts";
import { useProfile } from "../../io/use-profile.ts";
import { type ServeFlags, serveOptionsOf, withServeFlags } from "./serve-options.ts";

export function serveFlowCommand(): Command {
  return withServeFlags(leaf().argument("<file:flow>", "where the flow is"))
    .option("--param <name=value>", "a parameter of its runs; may be repeated", pair)
    .addHelpText(
      "after",
      examples(
        "flow serve flows/hello.mjs:hello --name local",
        "flow serve flows/hello.mjs -n nightly --cron '0 2 * * *'",
      ),
    )
    .action(async (entrypoint: string, flags: ServeFlags, command: Command) => {
      useProfile(command);
      const { loadFlow, serveFlow } = await import("@orchestrator/sdk");
      const definition = await loadFlow(entrypoint, process.cwd());
      const served = await serveFlow(definition, serveOptionsOf(flags));
      const name = `${definition.name}/${flags.name}`;
      say(`Serving ${name} until Ctrl-C. Run it with: orchestrator deployment run ${name}`);
      await served.finished;
    });
}
