import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { runCommand } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type CliWorld, openCli } from "./support.ts";

const ESCAPE = "\u001b";
let cli: CliWorld;

beforeAll(async () => {
  cli = await openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

const isInstalled = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

describe("without a server", () => {
  test("the help of every noun names its verbs, and the one of a verb its examples", async () => {
    const help = await runCommand(["--help"], {});
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const noun of ["deployment", "flow-run", "work-pool", "deploy", "init", "completion"])
      expect(help.stdout).toContain(`  ${noun} `);
    expect((await runCommand(["deployments", "--help"], {})).stdout).toContain("backfill");
    const verb = await runCommand(["deployment", "run", "--help"], {});
    expect(verb.stdout).toContain("$ orchestrator deployment run");
  });

  test("what was misspelt is a usage error with a suggestion", async () => {
    expect(await runCommand(["flw", "ls"], {})).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("Did you mean flow?"),
    });
    expect(await runCommand(["flow-runs", "logs"], {})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("`orchestrator flow-run logs --help` shows how"),
    });
    expect((await runCommand(["flow", "lst"], {})).stderr).toContain("Did you mean ls?");
    for (const command of [
      ["flow", "ls", "--limit", "none"],
      ["worker", "start", "--pool", "local", "--limit", "2.5"],
    ])
      expect(await runCommand(command, {})).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("whole number"),
      });
  });

  test("an empty text, as an unset variable leaves it, is no name of anything", async () => {
    for (const command of [
      ["work-pool", "create", ""],
      ["flow-run", "inspect", ""],
      ["flow-run", "cancel", ""],
      ["worker", "start", "--pool", ""],
      ["worker", "start", "--pool", "local", "--work-queue", ""],
    ])
      expect(await runCommand(command, {})).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^orchestrator: (<\w+>|--[\w-]+) is empty\n$/),
      });
  });

  test("help is asked for before a word as well as behind it", async () => {
    const behind = await runCommand(["deployment", "schedule", "ls", "--help"], {});
    expect(await runCommand(["deployment", "schedule", "help", "ls"], {})).toEqual(behind);
    expect(behind.stdout).toContain("List the schedules of a deployment");
    const noun = await runCommand(["help", "deployments"], {});
    expect(noun).toEqual(await runCommand(["deployment", "--help"], {}));
    const before = ["--no-prompt", "help", "deployment", "schedule", "ls"];
    expect(await runCommand(before, {})).toEqual(behind);
    const unknown = await runCommand(["help", "flw"], {});
    expect(unknown).toEqual(await runCommand(["flw"], {}));
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command") });
    expect((await runCommand(["help", "flow", "lst"], {})).stderr).toContain("Did you mean ls?");
    expect((await runCommand(["help"], {})).stdout).toContain("  deployment ");
  });

  test("a server that is away is named with the next step", async () => {
    const port = await freePort();
    const away = { ORCHESTRATOR_API_URL: `http://127.0.0.1:${port}/api`, HOME: cli.folder };
    const { code, stdout, stderr } = await runCommand(["flow", "ls", "--json"], away);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`No server at http://127.0.0.1:${port}`);
    expect(stderr).toContain("orchestrator server start");
    expect((await runCommand(["version"], away)).stdout).toContain("does not answer");
  });

  test("bash completes nouns, verbs and options", async () => {
    const { stdout: script } = await runCommand(["completion", "bash"], {});
    const completed = (...words: readonly string[]) => {
      const line = words.map((word) => `'${word}'`).join(" ");
      const ask = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _orchestrator; echo "\${COMPREPLY[*]}"`;
      return spawnSync("bash", ["-c", ask], { encoding: "utf8" }).stdout.trim().split(" ");
    };
    expect(completed("orchestrator", "deployme")).toEqual(["deployment"]);
    expect(completed("orchestrator", "deployments", "schedule", "pre")).toEqual(["preview"]);
    expect(completed("orchestrator", "flow-run", "ls", "--st")).toEqual(["--state"]);
  });

  test("scripts for other shells know the same commands", async () => {
    for (const shell of ["zsh", "fish"]) {
      const { code, stdout } = await runCommand(["completion", shell], {});
      expect(code).toBe(0);
      expect(stdout).toContain("set-concurrency-limit");
    }
  });

  test.skipIf(!isInstalled("fish"))("fish completes nouns, verbs and options", async () => {
    const { stdout: script } = await runCommand(["completion", "fish"], {});
    const completed = (line: string) => {
      const ask = `${script}\ncomplete -C '${line}'`;
      const { stdout } = spawnSync("fish", ["--no-config", "-c", ask], { encoding: "utf8" });
      return stdout
        .trim()
        .split("\n")
        .map((entry) => entry.split("\t")[0]);
    };
    expect(completed("orchestrator deployme")).toEqual(["deployment"]);
    expect(completed("orchestrator deployments schedule pre")).toEqual(["preview"]);
    expect(completed("orchestrator flow-run ls --st")).toEqual(["--state"]);
  });

  test.skipIf(!isInstalled("zsh"))("zsh understands its script", async () => {
    const { stdout: script } = await runCommand(["completion", "zsh"], {});
    expect(spawnSync("zsh", ["-n", "-c", script], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });
});

describe("profiles and settings", () => {
  test("are made, put to use, renamed and deleted, and secrets are not shown", async () => {
    await using home = await temporaryFolder();
    const env = { ORCHESTRATOR_HOME: home.path };
    const run = (...args: readonly string[]) => runCommand(args, env);
    expect((await run("profile", "create", "staging")).code).toBe(0);
    await run("-p", "staging", "config", "set", "ORCHESTRATOR_API_URL=http://10.0.0.5:4200/api");
    await run("-p", "staging", "config", "set", "ORCHESTRATOR_API_KEY=very-secret");
    expect((await run("profile", "use", "staging")).code).toBe(0);
    const shown = await run("config", "view");
    expect(shown.stdout).toContain("http://10.0.0.5:4200/api (profile)");
    expect(shown.stdout).not.toContain("very-secret");
    expect((await run("config", "view", "--show-secrets")).stdout).toContain("very-secret");
    expect((await run("profile", "inspect", "staging", "--json")).stdout).not.toContain("very");
    expect(await run("profile", "delete", "staging", "-y")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("in use"),
    });
    await run("profile", "rename", "staging", "prod");
    expect(JSON.parse((await run("profiles", "ls", "--json")).stdout)).toEqual([
      { name: "default", is_active: false, url: null },
      { name: "prod", is_active: true, url: "http://10.0.0.5:4200/api" },
    ]);
    expect((await run("config", "unset", "ORCHESTRATOR_API_KEY")).code).toBe(0);
    expect(await run("config", "set", "ORCHESTRATOR_API_URI=x")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean ORCHESTRATOR_API_URL"),
    });
    expect(await run("profile", "use", "pord")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no profile pord. Did you mean prod?"),
    });
    expect((await run("config", "validate", "--offline")).code).toBe(0);
  });

  test("the profile may stand before the noun and behind the command", async () => {
    await using home = await temporaryFolder();
    const env = { ORCHESTRATOR_HOME: home.path, ORCHESTRATOR_API_URL: "http://127.0.0.1:9/api" };
    const run = (...args: readonly string[]) => runCommand(args, env);
    await run("profile", "create", "staging");
    await run("config", "set", "ORCHESTRATOR_API_KEY=very-secret", "--profile", "staging");
    const before = await run("-p", "staging", "config", "view");
    expect(before.stdout).toContain("profile staging");
    expect(before.stderr).toContain("ORCHESTRATOR_API_KEY of the profile is not used");
    expect(await run("config", "view", "-p", "staging")).toEqual(before);
    expect((await run("config", "view")).stdout).toContain("profile default");
  });

  test("a profile file that is broken is named, and does not keep help away", async () => {
    await using home = await temporaryFolder();
    await writeFile(join(home.path, "profiles.json"), "{");
    const env = { ORCHESTRATOR_HOME: home.path };
    expect(await runCommand(["config", "validate"], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("profiles.json is no valid JSON"),
    });
    expect((await runCommand(["profile", "--help"], env)).code).toBe(0);
  });
});

describe("with a server", () => {
  test("answers to programs are JSON and nothing else, also when there is nothing", async () => {
    for (const noun of ["flow", "flow-run", "task-run", "deployment", "work-queue", "worker"])
      expect(await cli.json(noun, "ls")).toEqual([]);
    expect(JSON.parse((await cli.run("work-pools", "ls", "-o", "json")).stdout)).toEqual([]);
  });

  test("people are told what to do when there is nothing, outside of stdout and without colour", async () => {
    const { code, stdout, stderr } = await cli.run("deployment", "ls");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("orchestrator deploy");
    await cli.client.flows.create({ name: "colourless" });
    expect((await cli.run("flow", "ls")).stdout).not.toContain(ESCAPE);
  });

  test("both APIs can be asked anything", async () => {
    expect(await cli.run("api", "GET", "/version")).toMatchObject({ code: 0 });
    const made = await cli.run("api", "post", "/flows/", "-d", '{"name": "raw"}');
    expect(JSON.parse(made.stdout)).toMatchObject({ name: "raw" });
    expect(await cli.run("api", "GET", "/flows/name/none")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("detail"),
      stderr: expect.stringContaining("404"),
    });
    expect((await cli.run("api", "GET", "/health", "--uptime")).code).toBe(0);
    expect((await cli.run("api", "FETCH", "/version")).code).toBe(2);
    expect((await cli.run("api", "POST", "/flows/", "-d", "{")).code).toBe(2);
  });

  test("versions, settings and pages of the server in use are shown", async () => {
    expect(await cli.json("version")).toMatchObject({ server_version: expect.any(String) });
    expect((await cli.run("config", "validate")).stdout).toContain("answers");
    const pages = new URL("/", cli.env["ORCHESTRATOR_API_URL"]).href;
    expect((await cli.run("dashboard", "open")).stdout).toBe(`${pages}\n`);
  });
});
