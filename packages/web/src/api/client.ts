import { createClient } from "@orchestrator/client";
import { access } from "./sign-in.ts";
import { inWorkspace } from "./workspace.ts";

/** The server that this page came from. */
export const api = createClient({ url: `${location.origin}/api${inWorkspace("")}`, ...access });
