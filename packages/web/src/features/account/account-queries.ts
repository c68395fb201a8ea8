import { queryOptions } from "@tanstack/react-query";
import { accounts } from "../../api/accounts.ts";

/** What an account is made of. Nobody tells of its changes, so whoever looks again asks again. */
const of = <Row>(part: string, accountId: string, list: (signal: AbortSignal) => Promise<Row[]>) =>
  queryOptions({
    queryKey: ["account", accountId, part],
    queryFn: ({ signal }) => list(signal),
  });

export const membersOf = (id: string) =>
  of("members", id, (signal) => accounts.members.list(id, { signal }));

export const invitationsOf = (id: string) =>
  of("invitations", id, (signal) => accounts.invitations.list(id, { signal }));

export const keysOf = (id: string) =>
  of("keys", id, (signal) => accounts.apiKeys.list(id, { signal }));

export const serviceAccountsOf = (id: string) =>
  of("service-accounts", id, (signal) => accounts.serviceAccounts.list(id, { signal }));

export const workspacesOf = (id: string) =>
  of("workspaces", id, (signal) => accounts.workspaces.list(id, { signal }));
