import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@orchestrator/contract";

// The server is built into one file of another package, so the folder is not found from this one.
const MANIFEST = createRequire(import.meta.url).resolve("@orchestrator/orchestrator/package.json");
const FOLDER = new URL("data/worker-kinds/", pathToFileURL(MANIFEST));
const LOGO =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%232557d6' stroke-width='2'%3E%3Crect x='3' y='4' width='18' height='16' rx='2'/%3E%3Cpath d='m7 9 3 3-3 3m6 0h4'/%3E%3C/svg%3E";

/** One file per kind of worker, in the order in which forms offer them. */
const TYPES = [
  "process",
  "docker",
  "kubernetes",
  "ecs",
  "azure-container-instance",
  "cloud-run",
  "cloud-run-v2",
  "vertex-ai",
];

interface WorkerKind {
  /** The Python package that its workers come with. */
  readonly package: string;
  readonly type: string;
  readonly display_name: string;
  readonly description: string;
  /** The base job template of a pool that is created without one. */
  readonly default_base_job_configuration: JsonObject;
}

/** The known kinds of worker, by package and type. */
export const WORKER_METADATA: object = readWorkerMetadata();

function readWorkerMetadata(): Record<string, Record<string, object>> {
  const metadata: Record<string, Record<string, object>> = {};
  for (const type of TYPES) {
    const file = new URL(`${type}.json`, FOLDER);
    const { package: from, ...kind } = JSON.parse(readFileSync(file, "utf8")) as WorkerKind;
    metadata[from] ??= {};
    metadata[from][type] = {
      ...kind,
      documentation_url: "https://docs.prefect.io/v3/concepts/workers",
      logo_url: LOGO,
      install_command: `pip install ${from}`,
      is_beta: false,
    };
  }
  return metadata;
}
