import type { ReportSession } from "../report/session.ts";
import { proposeState, withClaim } from "./propose.ts";

export interface UnbegunRun {
  readonly flowRunId: string;
  readonly claimId: string | null;
}

/** Fails a run that cannot begin, with what is wrong: there is nobody else to tell. */
export async function failUnbegun(
  { client, settings }: ReportSession,
  { flowRunId, claimId }: UnbegunRun,
  message: string,
): Promise<void> {
  await proposeState(client, {
    flowRunId,
    state: withClaim({ type: "FAILED", message }, claimId),
    force: true,
    patienceSeconds: settings.deliverySeconds,
  });
}
