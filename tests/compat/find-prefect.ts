// Finds a Python that has Prefect 3's client: the one PREFECT_PYTHON names, else the first python3
// on the path.
import { spawnSync } from "node:child_process";

export type FoundPrefect =
  | { readonly python: string; readonly version: string }
  | { readonly python: null; readonly reason: string };

export function findPrefect(): FoundPrefect {
  const given = process.env["PREFECT_PYTHON"];
  const python = given ?? "python3";
  const { status, stdout, error } = spawnSync(
    python,
    ["-c", "import importlib.metadata as m; print(m.version('prefect'))"],
    { encoding: "utf8", timeout: 60_000 },
  );
  const version = (stdout ?? "").trim();
  if (status === 0 && version.startsWith("3.")) return { python, version };
  const found =
    error !== undefined
      ? `${python} cannot be started (${error.message})`
      : status === 0
        ? `${python} has Prefect ${version}, and this needs 3`
        : `${python} has no Prefect`;
  return {
    python: null,
    reason: `${found}. To run them: python3 -m venv /tmp/prefect && /tmp/prefect/bin/pip install prefect==3.9.0, then PREFECT_PYTHON=/tmp/prefect/bin/python npm test -- tests/compat`,
  };
}
