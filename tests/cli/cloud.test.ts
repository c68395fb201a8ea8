// The commands about accounts, against a server that has them.
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ACCOUNTS_MODE_ENV, runCommand, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("logs in, makes a workspace, works in it, and gives out keys", async () => {
  await using data = await temporaryFolder();
  await using own = await temporaryFolder();
  await using server = await startReadyServer({
    home: data.path,
    env: ACCOUNTS_MODE_ENV,
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

  expect(await said("cloud", "audit", "ls", "--operation", "revokeApiKey")).toMatch(
    /owner\s+orc_\S+\s+revokeApiKey\s+\S+\s+done 204/,
  );
  const csv = await said("cloud", "audit", "export", "--workspace", "shop");
  expect(csv.split("\r\n")[1]).toContain(",done,201,user,");
  await said("cloud", "audit", "export", "-f", `${own.path}/audit.csv`);
  const quotas = ["cloud", "workspace", "quotas", "shop"];
  expect(await said(...quotas, "--runs-per-day", "5")).toMatch(/Runs today\s+0 of 5\n/);
  expect(await said(...quotas, "--none")).toMatch(/Runs today\s+0 of any number/);
  await said("cloud", "workspace", "delete", "shop", "-y");
  expect(await said("cloud", "workspace", "ls")).not.toContain("shop");
  expect(await said("cloud", "account", "update", "--name", "The company")).toContain("default");
  expect(await said("cloud", "account", "ls")).toMatch(/default\s+The company\s+owner/);
  expect(await said("cloud", "account", "inspect")).toMatch(/Name\s+The company/);
  expect(await said("cloud", "account", "create", "other")).toMatch(/^orc_\S+\n$/);
  expect(await run("cloud", "account", "delete", "default", "-y")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("first account"),
  });
  await said("cloud", "logout");
  expect(await run("variable", "ls")).toMatchObject({ code: 1 });
});

test("sets a password, invites somebody, who makes a key with a password, and shuts them out", async () => {
  await using data = await temporaryFolder();
  await using own = await temporaryFolder();
  await using theirs = await temporaryFolder();
  await using server = await startReadyServer({
    home: data.path,
    env: ACCOUNTS_MODE_ENV,
  });
  const [key = ""] = /orc_[\w-]{43}/.exec(server.stdout()) ?? [];
  const at = async (home: string, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(args, { ORCHESTRATOR_HOME: home });
    expect(`${code} ${stderr}`, args.join(" ")).toMatch(/^0 /);
    return stdout;
  };
  const file = async (text: string): Promise<string> => {
    const path = `${own.path}/${text.length}.txt`;
    await writeFile(path, `${text}\n`);
    return path;
  };
  const url = ["--url", `${server.url}/api`];
  await at(own.path, "cloud", "login", ...url, "--key", key);
  const first = await file("the first password");
  const setting = ["cloud", "user", "password", "--password-file"];
  expect(await runCommand([...setting, first], { ORCHESTRATOR_HOME: own.path })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--email"),
  });
  await at(own.path, ...setting, first, "--email", "Ada@example.com");
  const second = await file("another password");
  await at(own.path, ...setting, second, "--current-password-file", first);
  await at(own.path, "cloud", "logout");
  const login = ["cloud", "login", ...url, "--email", "ada@example.com", "--password-file"];
  expect(await runCommand([...login, first], { ORCHESTRATOR_HOME: own.path })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The email or the password is wrong"),
  });
  expect(await at(own.path, ...login, second)).toContain("default/default");

  const link = await at(own.path, "cloud", "user", "invite", "bob@example.com", "--role", "runner");
  const token = new URL(link.trim()).searchParams.get("token");
  expect(await at(own.path, "cloud", "user", "ls")).toMatch(/bob@example.com\s+runner\s+20/);
  const accepted = await fetch(`${server.url}/api/auth/invitations/accept`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, name: "Bob", password: "another password" }),
  });
  expect(accepted.status).toBe(200);
  const bob = ["cloud", "login", ...url, "--email", "bob@example.com", "--password-file", second];
  await at(theirs.path, ...bob);
  await at(theirs.path, "variable", "ls");
  const set = ["variable", "set", "a", "1"];
  expect(await runCommand(set, { ORCHESTRATOR_HOME: theirs.path })).toMatchObject({ code: 1 });
  await at(own.path, "cloud", "user", "set-role", "bob@example.com", "developer");
  // The key that was made before goes no further than its user did then.
  expect(await runCommand(set, { ORCHESTRATOR_HOME: theirs.path })).toMatchObject({ code: 1 });
  await at(theirs.path, ...bob);
  await at(theirs.path, ...set);
  await at(own.path, "cloud", "user", "remove", "Bob", "-y");
  expect(await runCommand(set, { ORCHESTRATOR_HOME: theirs.path })).toMatchObject({ code: 1 });
  expect(await at(own.path, "cloud", "user", "ls", "--json")).not.toContain("bob");
});
