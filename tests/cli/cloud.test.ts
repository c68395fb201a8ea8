// The commands about accounts, against a server that has them.
import { expect, test } from "vitest";
import { runCommand, startServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("logs in, makes a workspace, works in it, and gives out keys", async () => {
  await using data = await temporaryFolder();
  await using own = await temporaryFolder();
  await using server = await startServer({
    home: data.path,
    env: { ORCHESTRATOR_SERVER_AUTH_MODE: "accounts" },
  });
  const [key = ""] = /orc_[\w-]{43}/.exec(server.stdout()) ?? [];
  const run = (...args: readonly string[]) => runCommand(args, { ORCHESTRATOR_HOME: own.path });
  const said = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...args);
    expect(`${code} ${stderr}`, args.join(" ")).toMatch(/^0 /);
    return stdout;
  };

  expect(await run("cloud", "workspace", "ls")).toMatchObject({ code: 1 });
  const login = ["cloud", "login", "--url", `${server.url}/api`];
  expect(await run(...login, "--key", `orc_${"x".repeat(43)}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("does not accept the key"),
  });
  expect(await said(...login, "--key", key)).toContain("default/default");

  await said("cloud", "workspace", "create", "shop", "--name", "The shop");
  await said("cloud", "workspace", "use", "shop");
  expect(await said("cloud", "workspace", "ls")).toMatch(/\*\s+default\/shop\s+The shop/);
  await said("variable", "set", "region", "eu");
  expect(await said("variable", "ls")).toContain("region");

  const made = await said("cloud", "api-key", "create", "ci", "--role", "viewer", "--json");
  const { key: second } = JSON.parse(made) as { readonly key: string };
  const asViewer = { ORCHESTRATOR_HOME: own.path, ORCHESTRATOR_API_KEY: second };
  expect(await runCommand(["variable", "set", "more", "1"], asViewer)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("may not do this"),
  });
  await said("cloud", "api-key", "revoke", "ci", "-y");
  expect(await said("cloud", "api-key", "ls")).not.toContain("ci ");
  expect(await runCommand(["variable", "ls"], asViewer)).toMatchObject({ code: 1 });

  await said("cloud", "workspace", "use", "default/default");
  expect(await said("variable", "ls", "--json")).toBe("[]\n");
  await said("cloud", "logout");
  expect(await run("variable", "ls")).toMatchObject({ code: 1 });
});
