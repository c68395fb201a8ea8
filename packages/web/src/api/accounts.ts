import { createAccountsClient } from "@orchestrator/client";
import { access } from "./sign-in.ts";

/** What stands above the workspaces of this server; it is there in mode `accounts` only. */
export const accountsClient = createAccountsClient({ url: `${location.origin}/api`, ...access });
