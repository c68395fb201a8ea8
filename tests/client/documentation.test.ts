// The code in the how-to guide of the client library runs as it stands.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readPageBlocks } from "../support/page-blocks.ts";
import { startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PAGE = "how-to/call-the-api-from-typescript.md";
const root = fileURLToPath(new URL("../../", import.meta.url));
const PASSWORD = "a-password-for-tests";

const examples = (): string[] =>
  readPageBlocks(PAGE)
    .filter(({ language }) => language === "js")
    .map(({ text }) => text);

async function run(code: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["--input-type=module"], {
    cwd: root,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stdin.end(`${code}\nprocess.exit(0);\n`);
  const [exit] = (await once(child, "close")) as [number | null];
  return { exit, output };
}

test("every example of the page does what it says without an error", async () => {
  await using folder = await temporaryFolder();
  const env = { UPTIME_PASSWORD: PASSWORD };
  await using server = await startReadyServer({ home: `${folder.path}/data`, env });
  const found = examples();
  expect(found).toHaveLength(5);
  for (const code of found) {
    const { exit, output } = await run(code, {
      ...env,
      ORCHESTRATOR_HOME: folder.path,
      ORCHESTRATOR_API_URL: `${server.url}/api`,
      UPTIME_API_URL: `${server.url}/uptime/api`,
    });
    expect({ exit, output, code }).toEqual({ exit: 0, output: expect.stringMatching(/\S/), code });
  }
});
