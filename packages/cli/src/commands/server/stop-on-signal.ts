import type { BackgroundServices } from "@orchestrator/server";
import type { LocalWorker } from "./local-worker.ts";

/** What is started after the server, and stopped before it. */
export interface Companion {
  worker: LocalWorker | null;
}

/** The first signal stops in order; a second one means now. */
export function stopOnSignal(
  server: Pick<BackgroundServices, "stop">,
  beside: Readonly<Companion> = { worker: null },
): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    // Its last words are for the server.
    await beside.worker?.stop();
    await server.stop();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      beside.worker?.hurry();
      process.exit(signal === "SIGINT" ? 130 : 143);
    }
    isStopping = true;
    process.stderr.write(`${signal}: finishing what is in flight; once more stops at once\n`);
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`orchestrator: could not stop in order: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
