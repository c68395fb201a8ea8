import type { Command } from "commander";
import { clientLibrary } from "../../io/client-library.ts";
import { examples, leaf } from "../../io/command.ts";
import { printOne } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { ownVersion } from "../../own-version.ts";

const PATIENCE_MS = 2000;

export function versionCommand(): Command {
  return leaf()
    .addHelpText("after", examples("version", "version --json"))
    .action(async (_: unknown, command: Command) => {
      const session = sessionOf(command);
      const { profile: given } = command.optsWithGlobals<{ readonly profile?: string }>();
      const { profile, settings } = clientLibrary().resolveConfig({ profile: given });
      const asked = { retries: 0, timeoutMs: PATIENCE_MS };
      const server = await session.client.server.version(asked).catch(() => null);
      const facts = {
        version: ownVersion(),
        node: process.versions.node,
        platform: `${process.platform}-${process.arch}`,
        profile,
        api_url: settings.ORCHESTRATOR_API_URL.value,
        server_version: server,
      };
      printOne(session, facts, {
        Version: facts.version,
        Node: facts.node,
        Platform: facts.platform,
        Profile: facts.profile,
        Server: `${facts.api_url} (${server ?? "does not answer"})`,
      });
    });
}
