import { Command } from "commander";
import { examples } from "../../io/command.ts";
import { LOCAL_POOL } from "./local-pool.ts";
import type { StartFlags } from "./run-server.ts";

export function startCommand(): Command {
  return new Command()
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .option("--port <number>", "port to listen on (default: 4200)")
    .option(
      "--services <names>",
      "orchestrator, uptime or both, separated by a comma (default: both)",
    )
    .option("--dialect <name>", "orchestrator or prefect (default: orchestrator)")
    .option("--worker", `also start a worker for the work pool ${LOCAL_POOL}, as npm start does`)
    .option("--no-worker", "do not")
    .option("-b, --background", "return once it is ready; `server stop` stops it")
    .addHelpText(
      "after",
      examples(
        "server start",
        "server start --background --worker",
        "server start --port 8080 --services uptime",
      ),
    )
    .action(async (flags: StartFlags) => {
      const { runForegroundServer: runServer } = await import("./run-server.ts");
      await runServer(flags);
    });
}
