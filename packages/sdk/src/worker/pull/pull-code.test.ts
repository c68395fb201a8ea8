import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { JsonObject } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { CodeCache } from "./code-cache.ts";
import { pullCode } from "./pull-code.ts";
import { Redaction } from "./redaction.ts";

const TOKEN = "s3cret-token-of-the-block";

interface Place extends Disposable {
  readonly home: string;
  readonly file: (name: string) => string;
  readonly said: string[];
  readonly pull: (
    steps: readonly JsonObject[],
    signal?: AbortSignal,
  ) => ReturnType<typeof pullCode>;
}

function place(): Place {
  const home = mkdtempSync(join(tmpdir(), "pull-"));
  const cache = new CodeCache(join(home, "home"));
  const said: string[] = [];
  return {
    home,
    said,
    file: (name) => join(home, name),
    pull: (steps, signal = new AbortController().signal) => {
      const redaction = new Redaction();
      const around = { cache, redaction, env: {}, signal };
      const say = (text: string): void => void said.push(redaction.apply(text));
      return pullCode({ steps, folder: null, secrets: [] }, { ...around, say });
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}

const git = (folder: string, ...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], {
    cwd: folder,
    encoding: "utf8",
    stdio: "pipe",
  }).trim();

/** A repository on disk, and the commit that it is at. */
function repository(
  on: Place,
  name = "repo",
): { folder: string; commit: (text: string) => string } {
  const folder = on.file(name);
  mkdirSync(folder);
  git(folder, "init", "-q", "-b", "main");
  return {
    folder,
    commit(text) {
      writeFileSync(join(folder, "flow.mjs"), text);
      git(folder, "add", ".");
      git(folder, "commit", "-qm", text);
      return git(folder, "rev-parse", "HEAD");
    },
  };
}

const read = (folder: string | null, name = "flow.mjs"): string =>
  readFileSync(join(folder ?? "", name), "utf8");

const clone = (settings: JsonObject, name = "git_clone"): JsonObject => ({ [name]: settings });

async function serve(
  respond: (request: IncomingMessage) => readonly [number, Uint8Array | string],
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const [status, body] = respond(request);
    response.writeHead(status, status === 401 ? { "www-authenticate": "Basic" } : {}).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a repository is cloned at its branch, once for each commit", async () => {
  using on = place();
  const { folder: repo, commit } = repository(on);
  const first = commit("one");
  git(repo, "branch", "old");
  const second = commit("two");
  const [one, again] = await Promise.all([
    on.pull([clone({ repository: repo, branch: "old" }, "prefect.deployments.steps.git_clone")]),
    on.pull([clone({ repository: repo, commit_sha: first })]),
  ]);
  expect([read(one.folder), again.folder]).toEqual(["one", one.folder]);
  const newest = await on.pull([clone({ repository: repo })]);
  expect(read(newest.folder)).toBe("two");
  expect(newest.folder).toContain(second);
  // A commit that is there already needs no repository.
  rmSync(repo, { recursive: true });
  expect((await on.pull([clone({ repository: repo, commit: second })])).folder).toBe(newest.folder);
  expect(readdirSync(join(on.home, "home/code"))).toHaveLength(2);
});

test("submodules come along where they are wanted", async () => {
  using on = place();
  const inner = repository(on, "inner");
  inner.commit("inside");
  const outer = repository(on, "outer");
  git(
    outer.folder,
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "add",
    "-q",
    inner.folder,
    "lib",
  );
  outer.commit("outside");
  process.env["GIT_ALLOW_PROTOCOL"] = "file";
  try {
    const settings = { repository: outer.folder };
    const without = await on.pull([clone(settings)]);
    const having = await on.pull([clone({ ...settings, include_submodules: true })]);
    expect(existsSync(join(without.folder ?? "", "lib/flow.mjs"))).toBe(false);
    expect(read(having.folder, "lib/flow.mjs")).toBe("inside");
  } finally {
    delete process.env["GIT_ALLOW_PROTOCOL"];
  }
});

/** The command lines of all processes of this machine. */
const commandLines = (): string =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");

test("credentials reach the host of the repository, and neither arguments nor texts", async () => {
  using on = place();
  const { folder: repo, commit } = repository(on);
  commit("private");
  git(repo, "update-server-info");
  let seen = "";
  const basic = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString("base64")}`;
  await using server = await serve(({ url = "/", headers }) => {
    if (process.platform === "linux") seen += commandLines();
    if (headers.authorization !== basic) return [401, ""];
    const path = join(repo, ".git", new URL(url, "http://x").pathname);
    return existsSync(path) && statSync(path).isFile() ? [200, readFileSync(path)] : [404, ""];
  });
  const settings = { repository: `${server.url}/`, credentials: { token: TOKEN } };
  const { folder } = await on.pull([clone(settings)]);
  expect(read(folder)).toBe("private");
  expect(seen).not.toContain(TOKEN);
  expect(read(folder, ".git/config")).not.toContain(TOKEN);
  const wrong = { repository: `http://user:${TOKEN}@${new URL(server.url).host}/` };
  const error = await on.pull([clone(wrong)]).then(String, String);
  expect(error).toContain("git ls-remote");
  for (const text of [error, ...on.said]) {
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain(basic.slice("Basic ".length));
  }
});

test.each([
  [{ repository: "--upload-pack=touch /tmp/x" }, "begins with -"],
  [{ repository: "x", branch: "-b" }, "begins with -"],
  [{ repository: "x", commit_sha: "main" }, "all 40 digits"],
  [{}, "needs repository"],
  [{ repository: "/no/such/repository" }, "git ls-remote"],
])("a clone of %j is refused: %s", async (settings, problem) => {
  using on = place();
  await expect(on.pull([clone(settings)])).rejects.toThrow(problem);
});

test("steps go on in the folder of the one before, and know what it gave", async () => {
  using on = place();
  const { folder: repo, commit } = repository(on);
  mkdirSync(join(repo, "flows"));
  writeFileSync(join(repo, "flows/x.txt"), "here");
  commit("one");
  const pulled = await on.pull([
    clone({ id: "code", repository: repo }),
    { set_working_directory: { directory: "flows" } },
    {
      run_shell_script: {
        script: `pwd; cat x.txt; echo; echo "{{ code.commit }} $NAME"`,
        env: { NAME: "ada" },
      },
    },
  ]);
  expect(pulled.folder?.endsWith("/flows")).toBe(true);
  expect(on.said.slice(-3)).toEqual([
    pulled.folder,
    "here",
    `${git(repo, "rev-parse", "HEAD")} ada`,
  ]);
});

test("a script behind a clone runs once for all runs of its commit", async () => {
  using on = place();
  const { folder: repo, commit } = repository(on);
  commit("one");
  const install = { run_shell_script: { script: "echo install; pwd > installed" } };
  const first = [clone({ repository: repo }), install];
  const [one, two] = await Promise.all([on.pull(first), on.pull(first)]);
  expect(two.folder).toBe(one.folder);
  expect(read(one.folder, "installed").trim()).toBe(one.folder);
  const times = () => on.said.filter((line) => line === "install").length;
  expect(times()).toBe(1);
  commit("two");
  expect((await on.pull(first)).folder).not.toBe(one.folder);
  expect(times()).toBe(2);
  const other = { run_shell_script: { script: "echo install; echo other" } };
  await on.pull([clone({ repository: repo }), other]);
  expect(times()).toBe(3);
});

test("a script with an id runs for each run, and so does what is behind it", async () => {
  using on = place();
  const { folder: repo, commit } = repository(on);
  commit("one");
  const steps = [
    clone({ repository: repo }),
    { set_working_directory: { directory: "." } },
    { run_shell_script: { id: "now", script: "echo each" } },
    { run_shell_script: { script: "echo after {{ now.stdout }}" } },
  ];
  await on.pull(steps);
  await on.pull(steps);
  expect(on.said.filter((line) => /each/.test(line))).toEqual([
    "each",
    "after each",
    "each",
    "after each",
  ]);
});

test("a version whose script fails is made again by the next run", async () => {
  using on = place();
  const { folder: repo, commit } = repository(on);
  commit("one");
  const script = `test -e ${on.file("registry")}; echo installed`;
  const steps = [clone({ repository: repo }), { run_shell_script: { script } }];
  await expect(on.pull(steps)).rejects.toThrow("The script ended with 1");
  expect(readdirSync(join(on.home, "home/code"))).toEqual([]);
  writeFileSync(on.file("registry"), "");
  await on.pull(steps);
  expect(on.said).toContain("installed");
});

test("a script that fails says why without its secrets, and one of a cancelled run ends", async () => {
  using on = place();
  const redacted = { credentials: TOKEN, repository: "https://127.0.0.1:1/x" };
  await expect(on.pull([clone(redacted)])).rejects.toThrow("git ls-remote");
  const script = "echo no such package >&2; exit 3";
  await expect(on.pull([{ run_shell_script: { script } }])).rejects.toThrow(
    "The script ended with 3:\nno such package",
  );
  const stop = new AbortController();
  const running = on.pull([{ run_shell_script: { script: "echo begun; sleep 600" } }], stop.signal);
  const stopped = expect(running).rejects.toThrow("cancelled");
  for (; !on.said.includes("begun"); ) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort(new Error("cancelled"));
  await stopped;
});

test("what a script leaves running in the background ends with it", async () => {
  using on = place();
  await on.pull([{ run_shell_script: { script: "sleep 600 & echo $!" } }]);
  const stat = `/proc/${on.said.at(-1)}/stat`;
  const isRunning = (): boolean => existsSync(stat) && !/\) [ZX] /.test(readFileSync(stat, "utf8"));
  for (; isRunning(); ) await new Promise((resolve) => setTimeout(resolve, 5));
});

// Two seconds: a script waits that long for whoever holds its output.
test("a daemon in a session of its own does not keep its script waiting", async () => {
  using on = place();
  const daemon = `
    const { spawn } = require("node:child_process");
    const { pid } = spawn("sleep", ["600"], { detached: true, stdio: "inherit" });
    console.log(pid);
    process.exit(0);`;
  const env = { NODE: process.execPath, DAEMON: daemon };
  await on.pull([{ run_shell_script: { script: '"$NODE" -e "$DAEMON"; echo ready', env } }]);
  const [pid, ready] = on.said;
  process.kill(Number(pid), "SIGKILL");
  expect(ready).toBe("ready");
});

/** A tar entry; each name and content as given. */
function tarEntry(name: string, content: string, { type = "0", link = "" } = {}): Buffer {
  const header = Buffer.alloc(512);
  const fields: [number, string][] = [
    [0, name],
    [100, "0000755\0"],
    [124, `${content.length.toString(8).padStart(11, "0")}\0`],
    [148, "        "],
    [156, type],
    [157, link],
    [257, "ustar\0"],
  ];
  for (const [at, text] of fields) header.write(text, at);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header, Buffer.from(content), padding]);
}

const tarGz = (...entries: Buffer[]): Buffer =>
  gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));

/** A zip archive of stored files. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt32LE(content.length, 18);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), Buffer.from(content));
    central.push(entry, Buffer.from(name));
    offset += 30 + name.length + content.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

test("an archive is unpacked once for each content, with its links inside of it", async () => {
  using on = place();
  const archives: Record<string, Buffer> = {
    "/code.tar.gz": tarGz(
      tarEntry("top/", "", { type: "5" }),
      tarEntry("top/lib/link.mjs", "", { type: "2", link: "../flow.mjs" }),
      tarEntry("top/flow.mjs", "from tar"),
    ),
    "/code.zip": zip({ "top/flow.mjs": "from zip", "top/lib/": "" }),
  };
  let requests = 0;
  await using server = await serve(({ url = "", headers }) => {
    requests += 1;
    if (headers.authorization !== `Bearer ${TOKEN}`) return [403, ""];
    return [200, archives[url] ?? ""];
  });
  const settings = { strip_components: 1, credentials: { token: TOKEN } };
  const tar = await on.pull([{ archive: { url: `${server.url}/code.tar.gz`, ...settings } }]);
  expect([read(tar.folder), read(tar.folder, "lib/link.mjs")]).toEqual(["from tar", "from tar"]);
  const zipped = await on.pull([{ pull_archive: { url: `${server.url}/code.zip`, ...settings } }]);
  expect(read(zipped.folder)).toBe("from zip");
  const sha256 = createHash("sha256")
    .update(archives["/code.zip"] ?? "")
    .digest("hex");
  const before = requests;
  const known = await on.pull([
    { archive: { url: `${server.url}/code.zip`, sha256, ...settings } },
  ]);
  expect([known.folder, requests]).toEqual([zipped.folder, before]);
});

test("an archive in a bucket is asked for with a signature", async () => {
  using on = place();
  let asked: IncomingMessage | null = null;
  await using server = await serve((request) => {
    asked = request;
    return [200, zip({ "flow.mjs": "from s3" })];
  });
  const credentials = {
    aws_access_key_id: "AKIA",
    aws_secret_access_key: TOKEN,
    endpoint_url: server.url,
    region: "eu-west-1",
  };
  const { folder } = await on.pull([{ archive: { url: "s3://code/v1/app.zip", credentials } }]);
  expect(read(folder)).toBe("from s3");
  const { url, headers } = asked as unknown as IncomingMessage;
  expect(url).toBe("/code/v1/app.zip");
  expect(headers.authorization).toContain("Credential=AKIA/");
});

const OUT = tarGz(tarEntry("../out.txt", "x"));
test.each<[string, Buffer, string]>([
  ["with a name above its folder", OUT, "leads out of it"],
  ["with an absolute name", tarGz(tarEntry("/etc/out.txt", "x")), "leads out of it"],
  [
    "with a link out of it",
    tarGz(tarEntry("a", "", { type: "2", link: "../../etc" })),
    "leads out",
  ],
  ["with an absolute link", tarGz(tarEntry("a", "", { type: "2", link: "/etc" })), "leads out"],
  [
    "with a link that goes up behind a name",
    tarGz(tarEntry("b/c/a", "", { type: "2", link: "x/../../d" })),
    "leads out",
  ],
  [
    "with a link that goes up behind dots",
    tarGz(tarEntry("b/c/a", "", { type: "2", link: ".../../d" })),
    "leads out",
  ],
  [
    "with a link whose name leads through another one",
    tarGz(
      tarEntry("a", "", { type: "2", link: "." }),
      tarEntry("a/a/l", "", { type: "2", link: "../../" }),
      tarEntry("l/made/k", "", { type: "2", link: "z" }),
    ),
    "leads through another link",
  ],
  [
    "with a file whose name leads through a link",
    tarGz(tarEntry("a", "", { type: "2", link: "." }), tarEntry("a/b", "x")),
    "EEXIST",
  ],
  ["with a hard link", tarGz(tarEntry("a", "", { type: "1", link: "b" })), "neither file"],
  ["with two files of a name", tarGz(tarEntry("a", "1"), tarEntry("a", "2")), "EEXIST"],
  ["zipped with a name above its folder", zip({ "../out.txt": "x" }), "leads out of it"],
  ["zipped with a backslash", zip({ "..\\out.txt": "x" }), "leads out of it"],
  ["that is none", Buffer.from("hello"), "neither zip nor tar.gz"],
  ["that is damaged", gzipSync("hello".repeat(500)), "no tar archive"],
])("an archive %s is refused, and leaves nothing", async (_, bytes, problem) => {
  using on = place();
  await using server = await serve(() => [200, bytes]);
  const url = `${server.url}/a?signature=${TOKEN}`;
  const error = await on.pull([{ archive: { url } }]).then(String, String);
  expect(error).toContain(problem);
  expect(error).not.toContain(TOKEN);
  expect(readdirSync(join(on.home, "home/code"))).toEqual([]);
  expect(existsSync(join(on.home, "home/out.txt"))).toBe(false);
});

test("an unknown step is refused before any is run", async () => {
  using on = place();
  const steps = [{ run_shell_script: { script: "echo ran" } }, { "my.package.step": {} }];
  await expect(on.pull(steps)).rejects.toThrow("my.package.step is none that this worker can do");
  expect(on.said).toEqual([]);
});
