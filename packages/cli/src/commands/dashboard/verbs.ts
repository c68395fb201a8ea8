import type { Command } from "commander";
import { clientLibrary } from "../../io/client-library.ts";
import { examples, leaf } from "../../io/command.ts";
import { print, printJson, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";

export function openDashboardCommand(): Command {
  return leaf()
    .addHelpText("after", examples("dashboard open"))
    .action(async (_: unknown, command: Command) => {
      const session = sessionOf(command);
      const { profile } = command.optsWithGlobals<{ readonly profile?: string }>();
      const url = pagesOf(
        clientLibrary().resolveConfig({ profile }).settings.ORCHESTRATOR_API_URL.value,
      );
      if (session.json) return printJson({ url });
      const opener = openerOf(process.env);
      if (opener === null) return print(url);
      const isOpen = await start(opener, url);
      if (isOpen) say(`Opening ${url}`);
      else print(url);
    });
}

/** The pages stand beside the API. */
function pagesOf(apiUrl: string): string {
  const url = new URL(apiUrl);
  url.pathname = url.pathname.replace(/\/api(\/.*)?$/, "/");
  return url.href;
}

/** What opens pages here; null where nobody would see them. */
function openerOf(env: NodeJS.ProcessEnv): string | null {
  if (process.stdout.isTTY !== true || env["SSH_CONNECTION"]) return null;
  if (process.platform === "darwin") return "open";
  if (process.platform === "win32") return "explorer";
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "xdg-open" : null;
}

async function start(opener: string, url: string): Promise<boolean> {
  const { spawn } = await import("node:child_process");
  return new Promise((resolve) => {
    const child = spawn(opener, [url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
