import { group, type Word, word } from "../../word.ts";

const account = () => import("./account.ts");
const apiKeys = () => import("./api-keys.ts");
const audit = () => import("./audit.ts");
const users = () => import("./users.ts");
const verbs = () => import("./verbs.ts");
const workspaceCare = () => import("./workspace-care.ts");

export const CLOUD: readonly Word[] = [
  word("login", "Store a key and a workspace in the profile in use", async () =>
    (await verbs()).cloudLoginCommand(),
  ),
  word("logout", "Take the key and the workspace out of the profile in use", async () =>
    (await verbs()).cloudLogoutCommand(),
  ),
  group("account", "The account of the key", [
    word("ls", "List the accounts that the key is good for", async () =>
      (await account()).listAccountsCommand(),
    ),
    word("inspect", "Show the account of the key", async () =>
      (await account()).inspectAccountCommand(),
    ),
    word(
      "create",
      "Create another account, for owners of the first; its key is shown this once",
      async () => (await account()).createAccountCommand(),
    ),
    word("update", "Change the name or the handle of the account of the key", async () =>
      (await account()).updateAccountCommand(),
    ),
    word("delete", "Delete the account of the key, with its workspaces and keys", async () =>
      (await account()).deleteAccountCommand(),
    ),
  ]),
  group("workspace", "Workspaces that the key is good for", [
    word("ls", "List workspaces", async () => (await verbs()).listWorkspacesCommand()),
    word("create", "Create a workspace", async () => (await verbs()).createWorkspaceCommand()),
    word("use", "Let the profile in use speak to another workspace", async () =>
      (await verbs()).useWorkspaceCommand(),
    ),
    word(
      "quotas",
      "Show how much a workspace may have and has, or say how much it may have",
      async () => (await workspaceCare()).quotasCommand(),
    ),
    word("delete", "Delete a workspace and everything in it", async () =>
      (await workspaceCare()).deleteWorkspaceCommand(),
    ),
  ]),
  group("api-key", "Keys that open workspaces", [
    word("create", "Create a key, which is shown this once", async () =>
      (await apiKeys()).createApiKeyCommand(),
    ),
    word("ls", "List keys", async () => (await apiKeys()).listApiKeysCommand()),
    word("revoke", "Revoke a key, which ends what is done with it at once", async () =>
      (await apiKeys()).revokeApiKeyCommand(),
    ),
  ]),
  group("user", "People who may use the account", [
    word("invite", "Invite somebody; the link is shown this once", async () =>
      (await users()).inviteUserCommand(),
    ),
    word("ls", "List members, and who is invited", async () => (await users()).listUsersCommand()),
    word("set-role", "Change what a member may do", async () =>
      (await users()).setUserRoleCommand(),
    ),
    word("remove", "Remove a member, or take an invitation back", async () =>
      (await users()).removeUserCommand(),
    ),
    word("password", "Set your own password, to sign in to the web UI with", async () =>
      (await users()).setPasswordCommand(),
    ),
  ]),
  group("audit", "Who did what in the account", [
    word("ls", "List who did what, newest first", async () =>
      (await audit()).listAuditEntriesCommand(),
    ),
    word("export", "Write who did what as CSV, newest first", async () =>
      (await audit()).exportAuditCommand(),
    ),
  ]),
];
