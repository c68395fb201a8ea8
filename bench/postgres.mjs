// A PostgreSQL database of our own: on the server BENCH_POSTGRES_URL names, or on one started here.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { capture, root, toolPath } from "../scripts/lib/run.mjs";
import { cpuOfTree } from "./cpu-time.mjs";
import { requireFromKernel } from "./sqlite.mjs";

const pg = requireFromKernel("pg");

/** `given` is the address of a server that runs. */
export async function startDatabase(given = process.env.BENCH_POSTGRES_URL) {
  const server = given === undefined ? await startServer() : undefined;
  const url = new URL(given ?? server.url);
  const name = `bench_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client(url.href);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    /** What all of its processes have used; a server of others does not tell. */
    cpuSeconds: server === undefined ? undefined : async () => cpuOfTree(processOf(server)),
    async stop() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
      await server?.[Symbol.asyncDispose]();
    },
  };
}

const processOf = ({ dataDir }) =>
  Number(readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]);

/** The tests' own server is no part of the build, so its two files are compiled here. */
async function startServer() {
  const out = join(root, ".cache", "bench");
  const source = join(root, "packages", "kernel", "src", "testing", "postgres-server.ts");
  const flags =
    "--ignoreConfig --rewriteRelativeImportExtensions --skipLibCheck --types node " +
    "--module nodenext --target es2023 --lib es2023,esnext.disposable";
  const compiler = toolPath("typescript", "tsc");
  const args = [compiler, source, "--outDir", out, ...flags.split(" ")];
  const { code, output } = await capture(process.execPath, args);
  if (code !== 0) throw new Error(output);
  const { startPostgres } = await import(pathToFileURL(join(out, "postgres-server.js")).href);
  return startPostgres({ durable: true });
}
