import type { Account, AccountUpdate, CreatedAccount, MyAccount } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { print, printDone, printJson, printOne, printRows, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { type CloudServer, cloudGet, serverOf } from "./cloud-server.ts";

async function ownAccount(server: CloudServer): Promise<{ path: string; account: Account }> {
  const { account_id } = await cloudGet<{ readonly account_id: string }>(server, "/me");
  const path = `/accounts/${account_id}`;
  return { path, account: await cloudGet<Account>(server, path) };
}

export function listAccountsCommand(): Command {
  return leaf()
    .addHelpText("after", examples("cloud account ls"))
    .action(async (_: unknown, command: Command) => {
      const accounts = await cloudGet<MyAccount[]>(serverOf(command), "/me/accounts");
      printRows(sessionOf(command), accounts, {
        columns: [
          { title: "Account", cell: ({ account_handle }) => account_handle },
          { title: "Name", cell: ({ account_name }) => account_name },
          { title: "Role", cell: ({ role }) => role },
          { title: "Id", cell: ({ account_id }) => account_id },
        ],
        none: "The key is good for no account",
      });
    });
}

export function inspectAccountCommand(): Command {
  return leaf()
    .addHelpText("after", examples("cloud account inspect"))
    .action(async (_: unknown, command: Command) => {
      const { account } = await ownAccount(serverOf(command));
      const { handle, name, id, created } = account;
      printOne(sessionOf(command), account, {
        Account: handle,
        Name: name,
        Id: id,
        Created: created,
      });
    });
}

export function createAccountCommand(): Command {
  return leaf()
    .argument("<handle>", "lower-case letters, digits and dashes")
    .option("--name <name>", "as people call it; default: the handle")
    .addHelpText("after", examples('cloud account create other --name "Another team"'))
    .action(
      async (handle: string, { name = handle }: { readonly name?: string }, command: Command) => {
        const body = { name, handle };
        const made = await cloudGet<CreatedAccount>(serverOf(command), "/accounts/", {
          method: "POST",
          body,
        });
        if (sessionOf(command).json) return printJson(made);
        print(made.api_key.key);
        say(`The key of the owner of the account ${handle}; it is shown this once`);
      },
    );
}

export function updateAccountCommand(): Command {
  return leaf()
    .option("--name <name>", "as people call it")
    .option("--handle <handle>", "lower-case letters, digits and dashes")
    .addHelpText("after", examples('cloud account update --name "The company"'))
    .action(async ({ name, handle }: AccountUpdate, command: Command) => {
      if (name === undefined && handle === undefined)
        throw new UsageError("Say what to change with --name or --handle");
      const server = serverOf(command);
      const { path } = await ownAccount(server);
      await cloudGet(server, path, { method: "PATCH", body: { name, handle } });
      const { account } = await ownAccount(server);
      printDone(
        sessionOf(command),
        `The account is ${account.name} (${account.handle}) now`,
        account,
      );
    });
}

export function deleteAccountCommand(): Command {
  return leaf()
    .argument("<handle>", "the handle of the account")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("cloud account delete other"))
    .action(async (handle: string, { yes }: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const server = serverOf(command);
      const { path, account } = await ownAccount(server);
      if (account.handle !== handle)
        throw new UsageError(`The key is of the account ${account.handle}`);
      const question = `Delete the account ${handle} and everything in it?`;
      await confirmOrFail(session, { question, yes });
      await cloudGet(server, `${path}?handle=${encodeURIComponent(handle)}`, { method: "DELETE" });
      printDone(session, `Deleted the account ${handle}`, { deleted: account.id });
    });
}
