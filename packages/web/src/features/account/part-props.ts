import type { BrowserSession } from "../../api/session.ts";

/** What every part of the page of an account is given. */
export interface PartProps {
  readonly accountId: string;
  readonly session: BrowserSession;
}
