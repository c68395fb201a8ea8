import type { LoopHealth } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";

export interface Readiness {
  readonly isReady: boolean;
  /** The established clients read these two sentences. */
  readonly message: "OK" | "Database is not available";
  readonly loops: Readonly<Record<string, Omit<LoopHealth, "name">>>;
}

/** A loop that fails is shown and does not make the server unready: requests are still answered. */
export async function checkReadiness({ db, loopHealth }: OrchestratorContext): Promise<Readiness> {
  const isReady = await db.ping().then(
    () => true,
    () => false,
  );
  const loops = Object.fromEntries(loopHealth().map(({ name, ...health }) => [name, health]));
  return { isReady, message: isReady ? "OK" : "Database is not available", loops };
}
