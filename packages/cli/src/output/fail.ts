/** Says what went wrong and leaves the exit code behind. A stack is for defects, not for expected refusals. */
export function fail(error: unknown): void {
  process.exitCode = 1;
  if (!(error instanceof Error)) {
    process.stderr.write(`orchestrator: ${String(error)}\n`);
    return;
  }
  const isExpected = EXPECTED.has(error.name);
  process.stderr.write(
    `orchestrator: ${isExpected ? error.message : (error.stack ?? error.message)}\n`,
  );
}

const EXPECTED = new Set(["StartupError", "SettingsError", "KeyringError"]);
