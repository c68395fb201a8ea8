// One of the scripts beside this file, run to its end as a user would run it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SCRIPTS = fileURLToPath(new URL("python", import.meta.url));
const LAST_CHARACTERS = 8000;

export interface FinishedScript {
  readonly code: number | null;
  /** The last of what it printed. */
  readonly output: string;
}

export async function runScript(
  python: string,
  name: string,
  apiUrl: string,
): Promise<FinishedScript> {
  await using home = await temporaryFolder();
  // Nothing of the caller's settings; a process group of its own, so that nothing it started is
  // left behind.
  const child = spawn(python, [name], {
    cwd: SCRIPTS,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: home.path,
      PREFECT_HOME: home.path,
      PREFECT_API_URL: apiUrl,
      PREFECT_CLI_COLORS: "false",
      PREFECT_CLI_PROMPT: "false",
      PREFECT_SERVER_ANALYTICS_ENABLED: "false",
      DO_NOT_TRACK: "1",
      PYTHONDONTWRITEBYTECODE: "1",
      // Else its tables cut names short.
      COLUMNS: "250",
    },
  });
  const { pid } = child;
  const endAll = (): void => {
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch {
      // All have ended by themselves.
    }
  };
  process.once("exit", endAll);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output = (output + chunk).slice(-LAST_CHARACTERS);
    });
  }
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    return { code, output };
  } finally {
    endAll();
    process.off("exit", endAll);
  }
}
