import { queryOptions } from "@tanstack/react-query";
import { accountsClient } from "../../api/accounts.ts";

/** What an account is made of. Nobody tells of its changes, so whoever looks again asks again. */
const of = <Row>(part: string, accountId: string, list: (signal: AbortSignal) => Promise<Row[]>) =>
  queryOptions({
    queryKey: ["account", accountId, part],
    queryFn: ({ signal }) => list(signal),
  });

export const membersQuery = (id: string) =>
  of("members", id, (signal) => accountsClient.members.list(id, { signal }));

export const invitationsOf = (id: string) =>
  of("invitations", id, (signal) => accountsClient.invitations.list(id, { signal }));

export const keysOf = (id: string) =>
  of("keys", id, (signal) => accountsClient.apiKeys.list(id, { signal }));

export const serviceAccountsOf = (id: string) =>
  of("service-accounts", id, (signal) => accountsClient.serviceAccounts.list(id, { signal }));

export const workspacesQuery = (id: string) =>
  of("workspaces", id, (signal) => accountsClient.workspaces.list(id, { signal }));
