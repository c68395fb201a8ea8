import { accountsResources } from "./accounts-resources.ts";
import { type BoundResources, bindAll, type ClientOptions } from "./create-client.ts";
import { createTransport } from "./transport/transport.ts";

/** Accounts, workspaces, members and keys: `client.apiKeys.create(…)`. */
export interface AccountsClient extends BoundResources<typeof accountsResources> {
  /** Where the API is, without a slash at the end. */
  readonly url: string;
}

/**
 * A client of what stands above workspaces, at `url` such as `/api`. Only servers in mode
 * `accounts` know it.
 */
export function createAccountsClient(options: ClientOptions): AccountsClient {
  const transport = createTransport(options);
  return { url: transport.url, ...bindAll(transport, accountsResources) };
}
