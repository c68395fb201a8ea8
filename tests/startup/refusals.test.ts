// What stands in the way of a start: one sentence on what is wrong and what to do, an exit code
// that is not 0, and nothing changed.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { createTestPostgres, startPostgres } from "@orchestrator/kernel/testing";
import { describe, expect, test } from "vitest";
import { EMPTY, folderContents } from "../support/folder-contents.ts";
import { httpClient } from "../support/http-client.ts";
import {
  type FinishedCommand,
  runCommand,
  type ServerOptions,
  settingsOf,
  startReadyServer,
} from "../support/server-process.ts";
import { openSecondConnection } from "../support/stored-variables.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Reserved for a service that nobody runs. */
const CLOSED_PORT = 1;

function tryToStart(options: ServerOptions): Promise<FinishedCommand> {
  const flags = ["--port", "0", ...(options.flags ?? [])];
  return runCommand(["server", "start", ...flags], { ...settingsOf(options), ...options.env });
}

/** One line, for people, that says these things. */
function expectRefusal(result: FinishedCommand, ...says: (string | RegExp)[]): void {
  const { code, signal, stdout, stderr } = result;
  expect(stderr).toMatch(/^orchestrator: [^\n]+\n$/);
  for (const part of says) expect(stderr).toMatch(part);
  expect({ code, signal, stdout }).toEqual({ code: 1, signal: null, stdout: "" });
}

/** Starts a server once and stops it, so that there is something to be spoilt. */
async function prepare(options: ServerOptions): Promise<void> {
  await using server = await startReadyServer(options);
  server.kill("SIGTERM");
  await server.exited;
}

async function listenSomewhere(): Promise<Server & AsyncDisposable> {
  const server = createServer().listen({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  return server as Server & AsyncDisposable;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

test("refuses a port in use", async () => {
  await using folder = await temporaryFolder();
  await using other = await listenSomewhere();
  const port = `${portOf(other)}`;
  const result = await tryToStart({ home: `${folder.path}/data`, flags: ["--port", port] });
  expectRefusal(result, `Port ${port} on 127.0.0.1 is in use`, "--port");
  expect(await folderContents(folder.path)).toEqual({});
});

test("refuses an address of another machine", async () => {
  await using folder = await temporaryFolder();
  const result = await tryToStart({
    home: `${folder.path}/data`,
    flags: ["--host", "192.0.2.1"],
  });
  expectRefusal(result, "192.0.2.1", "--host");
  expect(await folderContents(folder.path)).toEqual({});
});

describe("refuses a data folder", () => {
  test("whose parent is missing", async () => {
    await using folder = await temporaryFolder();
    const home = `${folder.path}/missing/data`;
    expectRefusal(
      await tryToStart({ home }),
      `${home} cannot be created because ${folder.path}/missing does not exist`,
      "ORCHESTRATOR_HOME",
    );
    expect(await folderContents(folder.path)).toEqual({});
  });

  test("that is a file", async () => {
    await using folder = await temporaryFolder();
    const home = `${folder.path}/data`;
    await writeFile(home, "something else");
    const before = await folderContents(folder.path);
    expectRefusal(await tryToStart({ home }), `${home} is a file`, "ORCHESTRATOR_HOME");
    expect(await folderContents(folder.path)).toEqual(before);
  });

  test("whose parent is a file", async () => {
    await using folder = await temporaryFolder();
    const parent = `${folder.path}/notes`;
    await writeFile(parent, "something else");
    const result = await tryToStart({ home: `${parent}/data` });
    expectRefusal(result, `because ${parent} is a file`, "ORCHESTRATOR_HOME");
  });

  test.skipIf(process.platform !== "linux")(
    "where not even root may create one (Linux: below /sys)",
    async () => {
      const home = "/sys/orchestrator-test";
      expectRefusal(await tryToStart({ home }), home, "cannot be created", "ORCHESTRATOR_HOME");
    },
  );

  test.skipIf(process.platform !== "linux")(
    "in which not even root may write (Linux: /proc)",
    async () => {
      expectRefusal(await tryToStart({ home: "/proc" }), "/proc", "written", "ORCHESTRATOR_HOME");
    },
  );

  test.skipIf(process.getuid?.() === 0)(
    "that cannot be written (not as root, whom permissions do not stop)",
    async () => {
      await using folder = await temporaryFolder();
      await chmod(folder.path, 0o500);
      const result = await tryToStart({ home: folder.path });
      expectRefusal(result, `${folder.path} cannot be written`, "ORCHESTRATOR_HOME");
      expect(await folderContents(folder.path)).toEqual({});
    },
  );
});

describe("refuses settings", () => {
  test("that cannot be used, all of them at once and before anything is done", async () => {
    await using folder = await temporaryFolder();
    const { code, stdout, stderr } = await tryToStart({
      home: `${folder.path}/data`,
      databaseUrl: "mysql://someone:hunter2@db.example/main",
      flags: ["--port", "eighty", "--dialect", "klingon"],
      env: { ORCHESTRATOR_LOG_LEVEL: "loud", ORCHESTRATOR_SECRET_KEY: "hunter3" },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const [title, ...problems] = stderr.trimEnd().split("\n");
    expect(title).toBe("orchestrator: 5 settings cannot be used:");
    expect(problems.toSorted()).toEqual([
      expect.stringMatching(/^ {2}--dialect .*ORCHESTRATOR_SERVER_DIALECT.*"klingon"; expected /),
      expect.stringMatching(/^ {2}--port .*ORCHESTRATOR_SERVER_PORT.*"eighty"; expected /),
      expect.stringMatching(/^ {2}ORCHESTRATOR_DATABASE_URL .*db\.example.*; expected /),
      expect.stringMatching(/^ {2}ORCHESTRATOR_LOG_LEVEL .*"loud"; expected one of /),
      expect.stringMatching(/^ {2}ORCHESTRATOR_SECRET_KEY .*\*{8}; expected /),
    ]);
    expect(stderr).not.toMatch(/hunter/);
    expect(await folderContents(folder.path)).toEqual({});
  });

  test("of accounts without the address that links begin with", async () => {
    await using folder = await temporaryFolder();
    const env = { ORCHESTRATOR_SERVER_AUTH_MODE: "accounts" };
    const result = await tryToStart({ home: `${folder.path}/data`, env });
    expectRefusal(result, "ORCHESTRATOR_AUTH_PUBLIC_URL", "http://127.0.0.1:4200");
    expect(await folderContents(folder.path)).toEqual({});
  });

  test("and names those that do not exist as well", async () => {
    await using folder = await temporaryFolder();
    const { code, stderr } = await tryToStart({
      home: `${folder.path}/data`,
      env: { ORCHESTRATOR_SERVER_HOSTT: "::1", ORCHESTRATOR_LOG_FORMAT: "xml" },
    });
    expect(code).toBe(1);
    expect(stderr).toContain("did you mean ORCHESTRATOR_SERVER_HOST?");
    expect(stderr).toContain("ORCHESTRATOR_LOG_FORMAT");
  });
});

test.each([
  { args: ["server", "start", "--prot", "80"], hint: "--port", help: "server start" },
  { args: ["server", "strat"], hint: "start", help: "server" },
])("refuses $args as usage and says what was probably meant", async ({ args, hint, help }) => {
  const { code, stdout, stderr } = await runCommand(args, {});
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  const [problem, meant, next] = stderr.split("\n");
  expect(problem).toMatch(/^error: unknown /);
  expect(meant).toBe(`(Did you mean ${hint}?)`);
  expect(next).toBe(`\`orchestrator ${help} --help\` shows how it is typed.`);
});

describe("leaves a database alone when something else is wrong:", () => {
  test("the data folder's parent is missing", async () => {
    await using folder = await temporaryFolder();
    await using postgres = await startPostgres();
    const home = `${folder.path}/missing/data`;
    const result = await tryToStart({ home, databaseUrl: postgres.url });
    expectRefusal(result, home, "ORCHESTRATOR_HOME");
    expect(await tablesOf(postgres.url)).toEqual([]);
  });

  test("the sealing keys are damaged", async () => {
    await using folder = await temporaryFolder();
    await using postgres = await startPostgres();
    await mkdir(`${folder.path}/secrets`, { mode: 0o700 });
    await writeFile(`${folder.path}/secrets/keys.json`, "{", { mode: 0o600 });
    const result = await tryToStart({ home: folder.path, databaseUrl: postgres.url });
    expectRefusal(result, "keys.json");
    expect(await tablesOf(postgres.url)).toEqual([]);
  });

  test("the folder of the sealing keys is a file", async () => {
    await using folder = await temporaryFolder();
    await writeFile(`${folder.path}/secrets`, "something else");
    expectRefusal(await tryToStart({ home: folder.path }), `${folder.path}/secrets`);
    expect(await readdir(folder.path)).toEqual(["secrets"]);
  });
});

async function tablesOf(url: string): Promise<unknown[]> {
  const db = openSecondConnection(url);
  try {
    return await db.exclusively((session) =>
      session.rows("select tablename from pg_tables where schemaname = 'public'"),
    );
  } finally {
    await db.close();
  }
}

describe("refuses a PostgreSQL server", () => {
  test("that does not answer", async () => {
    await using folder = await temporaryFolder();
    const databaseUrl = `postgres://someone:hunter2@127.0.0.1:${CLOSED_PORT}/main`;
    const result = await tryToStart({ home: `${folder.path}/data`, databaseUrl });
    expectRefusal(result, "cannot be reached", "ECONNREFUSED", "ORCHESTRATOR_DATABASE_URL");
    expect(result.stderr).toContain(`postgres://someone:***@127.0.0.1:${CLOSED_PORT}/main`);
    expect(result.stderr).not.toContain("hunter2");
    expect(await folderContents(folder.path)).toEqual({});
  });

  test("that does not accept the password, which is never shown", async () => {
    await using folder = await temporaryFolder();
    await using postgres = await startPostgres();
    const db = openSecondConnection(postgres.url);
    await db.exclusively((session) =>
      session.execute("create role someone login superuser password 'right'"),
    );
    await db.close();
    const rules = join(postgres.dataDir, "pg_hba.conf");
    await writeFile(rules, "host all all 127.0.0.1/32 scram-sha-256\n");
    await postgres.stop("fast");
    await postgres.start();
    const url = (password: string): string =>
      `postgres://someone:${password}@127.0.0.1:${postgres.port}/postgres`;
    const home = `${folder.path}/data`;
    const result = await tryToStart({ home, databaseUrl: url("hunter2") });
    expectRefusal(result, "password authentication failed", "ORCHESTRATOR_DATABASE_URL");
    expect(result.stderr).not.toContain("hunter2");
    expect(await folderContents(folder.path)).toEqual({});
    await using server = await startReadyServer({ home, databaseUrl: url("right") });
    expect(server.stdout()).toContain("***");
  });

  test("without the database that is named", async () => {
    await using folder = await temporaryFolder();
    const { url, drop } = await createTestPostgres();
    await drop();
    const result = await tryToStart({ home: `${folder.path}/data`, databaseUrl: url });
    expectRefusal(result, "does not exist", "ORCHESTRATOR_DATABASE_URL");
  });
});

describe("refuses a database made by a newer version and leaves it as it is", () => {
  const ADD_STEP = `insert into schema_migrations
    select component, max(version) + 1, 'from-the-future', max(applied) from schema_migrations
    where component = 'kernel' group by component`;

  test("[sqlite]", async () => {
    await using folder = await temporaryFolder();
    await prepare({ home: folder.path });
    const db = openSecondConnection(`sqlite:${folder.path}/orchestrator.db`);
    await db.exclusively((session) => session.execute(ADD_STEP));
    await db.close();
    const before = await dataIn(folder.path);
    const result = await tryToStart({ home: folder.path });
    expectRefusal(result, "made by a newer version", "upgrade the program");
    expect(await dataIn(folder.path)).toEqual(before);
  });

  test("[postgres]", async () => {
    await using folder = await temporaryFolder();
    const { url, drop } = await createTestPostgres();
    const db = openSecondConnection(url);
    const readSchema = () =>
      db.exclusively((session) =>
        session.rows(
          "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' order by 1, 2",
        ),
      );
    try {
      await prepare({ home: `${folder.path}/older`, databaseUrl: url });
      await db.exclusively((session) => session.execute(ADD_STEP));
      const before = await readSchema();
      const home = `${folder.path}/data`;
      const result = await tryToStart({ home, databaseUrl: url });
      expectRefusal(result, "made by a newer version", "upgrade the program");
      expect(await readSchema()).toEqual(before);
      expect(existsSync(home)).toBe(false);
    } finally {
      await db.close();
      await drop();
    }
  });
});

describe("refuses a database file", () => {
  test("that another server is using, by whatever name, and that one goes on", async () => {
    await using folder = await temporaryFolder();
    const home = `${folder.path}/data`;
    const file = `${home}/orchestrator.db`;
    await using server = await startReadyServer({ home });
    expectRefusal(await tryToStart({ home }), `Another server is using ${file}`, "PostgreSQL");
    const other = `${folder.path}/other`;
    await mkdir(other);
    await symlink(file, `${other}/link.db`);
    const result = await tryToStart({ home: other, databaseUrl: `sqlite:${other}/link.db` });
    expectRefusal(result, `Another server is using ${file}`, "PostgreSQL");
    using client = httpClient(server.url);
    expect((await client.get("/api/ready")).status).toBe(200);
  });

  test("that is no database", async () => {
    await using folder = await temporaryFolder();
    const file = `${folder.path}/orchestrator.db`;
    await writeFile(file, "These are notes and no database.\n".repeat(200));
    const before = await folderContents(folder.path);
    const result = await tryToStart({ home: folder.path });
    expectRefusal(result, file, "not a database", "ORCHESTRATOR_DATABASE_URL");
    expect(await folderContents(folder.path)).toMatchObject(before);
  });

  test("that is damaged", async () => {
    await using folder = await temporaryFolder();
    await prepare({ home: folder.path });
    const file = `${folder.path}/orchestrator.db`;
    await writeFile(file, Buffer.alloc(4096 * 4, 7), { flag: "r+" });
    const before = await dataIn(folder.path);
    expectRefusal(await tryToStart({ home: folder.path }), file, "ORCHESTRATOR_DATABASE_URL");
    expect(await dataIn(folder.path)).toEqual(before);
  });

  test("in a folder that does not exist", async () => {
    await using folder = await temporaryFolder();
    const databaseUrl = `sqlite:${folder.path}/missing/main.db`;
    const result = await tryToStart({ home: folder.path, databaseUrl });
    expectRefusal(result, `${folder.path}/missing does not exist`, "ORCHESTRATOR_DATABASE_URL");
    expect(await folderContents(folder.path)).toEqual({});
  });
});

test("refuses sealing keys that others could read", async () => {
  await using folder = await temporaryFolder();
  await prepare({ home: folder.path });
  const keys = `${folder.path}/secrets/keys.json`;
  await chmod(keys, 0o644);
  const before = await dataIn(folder.path);
  expectRefusal(await tryToStart({ home: folder.path }), keys, "chmod 600");
  expect(await dataIn(folder.path)).toEqual(before);
});

/** Without the files that SQLite makes and removes as it pleases, which hold no data. */
async function dataIn(folder: string): Promise<Record<string, string>> {
  const contents = await folderContents(folder);
  const isData = ([path, content]: [string, string]): boolean =>
    !path.endsWith("-shm") && !(path.endsWith("-wal") && content === EMPTY);
  return Object.fromEntries(Object.entries(contents).filter(isData));
}
