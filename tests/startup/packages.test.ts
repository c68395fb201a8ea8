// What `npm pack` puts into the archives of the packages.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Packed {
  readonly name: string;
  readonly files: readonly { readonly path: string }[];
}

interface Manifest {
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
}

test("an archive of a package has what the package names, built, and no sources or tests", {
  timeout: 120_000,
}, async () => {
  const { stdout } = await promisify(execFile)(
    "npm",
    ["pack", "--dry-run", "--json", "--workspaces"],
    { cwd: ROOT, maxBuffer: 50_000_000 },
  );
  const packages = Object.values(JSON.parse(stdout) as Record<string, Packed>);
  expect(packages.length).toBeGreaterThan(8);
  for (const { name, files } of packages) {
    const folder = `${ROOT}packages/${name.replace("@orchestrator/", "")}`;
    const manifest = JSON.parse(await readFile(`${folder}/package.json`, "utf8")) as Manifest;
    const named = [
      ...Object.values(manifest.exports ?? {}).flatMap((door) => [door["types"], door["default"]]),
      ...Object.values(manifest.bin ?? {}),
    ].flatMap((path) => (path === undefined ? [] : [path.replace("./", "")]));
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(named));
    expect(paths.filter((path) => /^src\/|\.test\.|tsbuildinfo/.test(path))).toEqual([]);
  }
  const cli = packages.find(({ name }) => name === "@orchestrator/cli");
  expect(cli?.files.map(({ path }) => path)).toContain("templates/project/orchestrator.yaml");
});
