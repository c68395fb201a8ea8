import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { printOne } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { green, red, yellow } from "../../output/style.ts";
import { loopsOf, READINESS_CALL, type ReadinessReport, unready } from "./readiness.ts";

export function statusCommand(): Command {
  return leaf()
    .addHelpText("after", examples("server status", "server status --json"))
    .action(async (_: unknown, command: Command) => {
      const session = sessionOf(command);
      const { server } = session.client;
      const version = await server.version(READINESS_CALL);
      const readiness: ReadinessReport = await server.readiness(READINESS_CALL).catch(unready);
      const loops = loopsOf(readiness);
      const failing = loops.filter(({ status }) => status === "failing");
      const isReady = readiness.message === "OK";
      const uptime = await session.uptime.server.health(READINESS_CALL).catch(() => false);
      const loopText = failing.map(({ name }) => name).join(", ");
      printOne(
        session,
        { url: session.client.url, version, ready: isReady, uptime, ...readiness },
        {
          Server: `${session.client.url} ${isReady ? green("is ready") : red("is not ready")}`,
          Version: version,
          Database: isReady ? green("answers") : red(readiness.message ?? "does not answer"),
          Loops:
            failing.length === 0 ? `${loops.length}, none fails` : yellow(`failing: ${loopText}`),
          "Uptime API": uptime ? `${session.uptime.url} answers` : "does not answer",
        },
      );
      if (!isReady) process.exitCode = 1;
    });
}
