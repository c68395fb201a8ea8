import { hostname } from "node:os";
import type { CreatedApiKey, MyWorkspace } from "@orchestrator/contract";
import {
  type CloudAccess,
  chosenWorkspace,
  cloudGet,
  cloudSend,
  listKeyWorkspaces,
} from "./cloud-server.ts";

interface PasswordLogin {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  readonly workspace: string | undefined;
}

/** Makes a key of the user's own, as a program has no use for a session. */
export async function keyByPassword({
  url,
  email,
  password,
  workspace: wanted,
}: PasswordLogin): Promise<{ readonly key: string; readonly workspace: MyWorkspace }> {
  const login = { method: "POST", body: { email, password } };
  const answer = await cloudSend({ url }, "/auth/login", login);
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const session: CloudAccess = { url, cookie };
  try {
    const workspace = chosenWorkspace(await listKeyWorkspaces(session), wanted);
    const body = { name: `command line on ${hostname()}` };
    const path = `/accounts/${workspace.account_id}/api_keys`;
    const { key } = await cloudGet<CreatedApiKey>(session, path, { method: "POST", body });
    return { key, workspace };
  } finally {
    await cloudGet(session, "/auth/logout", { method: "POST" });
  }
}
