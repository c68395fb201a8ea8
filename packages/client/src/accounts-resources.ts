import { accounts, workspaces } from "./accounts/accounts.ts";
import { audit } from "./accounts/audit.ts";
import { apiKeys, serviceAccounts } from "./accounts/keys.ts";
import { me } from "./accounts/me.ts";
import { invitations, members } from "./accounts/members.ts";
import { signIn } from "./accounts/sign-in.ts";

/** Everything that servers with accounts can be asked for above their workspaces. */
export const accountsResources = {
  accounts,
  apiKeys,
  audit,
  invitations,
  me,
  members,
  serviceAccounts,
  signIn,
  workspaces,
};
