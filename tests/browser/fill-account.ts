// People, keys and workspaces of an account to look at, made through the API.
import type { BrowserAccountsServer } from "./accounts-server.ts";

export async function fillAccount({ accountId, ask }: BrowserAccountsServer): Promise<void> {
  const make = async (path: string, body: unknown) => {
    const answer = await ask("POST", `/accounts/${accountId}${path}`, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status}`);
    return answer.body;
  };
  await make("/workspaces", { name: "The shop", handle: "the-shop", description: "All but money" });
  await make("/invitations", { email: "cleo@example.com", role: "developer" });
  await make("/service_accounts", { name: "deploy-robot", role: "developer" });
  await make("/api_keys", { name: "laptop" });
  await ask("POST", "/variables/", { name: "region", value: "eu-west-1" });
}
