// What a run may change in its process, and the next run must not find changed.

/** Sets variables for a run; the returned function restores environment, folder and exit code. */
export function enterEnvironment(added: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env };
  const folder = process.cwd();
  Object.assign(process.env, added);
  return () => {
    for (const name of Object.keys(process.env)) {
      if (!Object.hasOwn(before, name)) delete process.env[name];
    }
    for (const [name, value] of Object.entries(before)) {
      if (value !== process.env[name]) process.env[name] = value;
    }
    if (process.cwd() !== folder) process.chdir(folder);
    process.exitCode = undefined;
  };
}
