import type { CreatedInvitation, Invitation, Me, Member } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { askSecret } from "../../io/ask-secret.ts";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { print, printDone, printJson, printRows, say } from "../../io/print.ts";
import { secretFromFile } from "../../io/secret-file.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { ROLE_CHOICES } from "./choices.ts";
import { type CloudServer, cloudGet, serverOf } from "./cloud-server.ts";

const roleArgument = "what they may do";

async function accountPath(server: CloudServer): Promise<string> {
  const { account_id } = await cloudGet<Me>(server, "/me");
  return `/accounts/${account_id}`;
}

export function inviteUserCommand(): Command {
  return leaf()
    .argument("<email>", "who is invited")
    .addOption(new Option("--role <role>", roleArgument).choices(ROLE_CHOICES).default("viewer"))
    .addHelpText("after", examples("cloud user invite ada@example.com --role developer"))
    .action(async (email: string, { role }: { readonly role: string }, command: Command) => {
      const server = serverOf(command);
      const path = `${await accountPath(server)}/invitations`;
      const made = await cloudGet<CreatedInvitation>(server, path, {
        method: "POST",
        body: { email, role },
      });
      if (sessionOf(command).json) return printJson(made);
      print(made.link);
      say(`Hand it to ${made.email}. It is good until ${made.expires} and is shown this once`);
    });
}

/** A member, or somebody who was invited and has not come yet. */
interface Person {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly role: string;
  readonly invited_until: string | null;
  readonly path: string;
}

async function listPeople(server: CloudServer): Promise<Person[]> {
  const account = await accountPath(server);
  const members = await cloudGet<Member[]>(server, `${account}/members`);
  const invitations = await cloudGet<Invitation[]>(server, `${account}/invitations`);
  return [
    ...members.map(({ user_id: id, name, email, role }) => {
      return { id, name, email, role, invited_until: null, path: `${account}/members/${id}` };
    }),
    ...invitations.map(({ id, email, role, expires: invited_until }) => {
      return { id, name: null, email, role, invited_until, path: `${account}/invitations/${id}` };
    }),
  ];
}

async function person(server: CloudServer, given: string): Promise<Person> {
  const wanted = given.toLowerCase();
  const people = await listPeople(server);
  const [one, ...others] = people.filter(
    ({ id, name, email }) => [id, email].includes(wanted) || name === given,
  );
  if (one === undefined) throw new UsageError(`There is no user ${given}`);
  if (others.length > 0) throw new UsageError(`Several users are called ${given}: give an email`);
  return one;
}

export function listUsersCommand(): Command {
  return leaf()
    .addHelpText("after", examples("cloud user ls"))
    .action(async (_: unknown, command: Command) => {
      const people = await listPeople(serverOf(command));
      const session = sessionOf(command);
      if (session.json) return printJson(people.map(({ path: _path, ...rest }) => rest));
      printRows(session, people, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Email", cell: ({ email }) => email },
          { title: "Role", cell: ({ role }) => role },
          { title: "Invited until", cell: ({ invited_until: until }) => until },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no users",
      });
    });
}

export function setUserRoleCommand(): Command {
  return leaf()
    .argument("<user>", "the email, the name or the id")
    .argument("<role>", roleArgument)
    .addHelpText("after", examples("cloud user set-role ada@example.com developer"))
    .action(async (given: string, role: string, _: unknown, command: Command) => {
      const server = serverOf(command);
      const { path, invited_until } = await person(server, given);
      if (invited_until !== null)
        throw new UsageError(`${given} has not come yet: invite them again with another role`);
      await cloudGet(server, path, { method: "PATCH", body: { role } });
      printDone(sessionOf(command), `${given} is ${role} now`, { user: given, role });
    });
}

export function removeUserCommand(): Command {
  return leaf()
    .argument("<user>", "the email, the name or the id")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("cloud user remove ada@example.com"))
    .action(async (given: string, { yes }: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const server = serverOf(command);
      const { id, path } = await person(server, given);
      await confirmOrFail(session, { question: `Remove ${given} from the account?`, yes });
      await cloudGet(server, path, { method: "DELETE" });
      printDone(session, `Removed ${given}`, { removed: id });
    });
}

interface PasswordOptions {
  readonly email?: string;
  readonly passwordFile?: string;
  readonly currentPasswordFile?: string;
}

export function setPasswordCommand(): Command {
  return leaf()
    .option("--email <email>", "also set the email to sign in with")
    .option("--password-file <path>", "read the new password from there, - for stdin")
    .option("--current-password-file <path>", "read the one before from there")
    .addHelpText("after", examples("cloud user password --email ada@example.com"))
    .action(async (options: PasswordOptions, command: Command) => {
      const session = sessionOf(command);
      const server = serverOf(command);
      const me = await cloudGet<Me>(server, "/me");
      const email = options.email ?? me.email;
      if (email === null)
        throw new UsageError("You have no email to sign in with: give one with --email");
      const current_password = me.has_password
        ? await secret(session, options.currentPasswordFile, "Current password")
        : undefined;
      const new_password = await newPassword(session, options.passwordFile);
      if (email !== me.email)
        await cloudGet(server, "/me", { method: "PATCH", body: { email: options.email } });
      const body = { current_password, new_password };
      await cloudGet(server, "/me/password", { method: "POST", body });
      printDone(session, `${email} signs in with the new password from now on`, { email });
    });
}

function secret(session: CliSession, file: string | undefined, question: string): Promise<string> {
  if (file !== undefined) return Promise.resolve(secretFromFile(file));
  const flag = question === "Current password" ? "--current-password-file" : "--password-file";
  return askSecret(session, { question, instead: `give it with ${flag}` });
}

/** What cannot be seen while it is typed is typed twice. */
async function newPassword(session: CliSession, file: string | undefined): Promise<string> {
  const first = await secret(session, file, "New password");
  if (file !== undefined) return first;
  if ((await secret(session, undefined, "Again")) !== first)
    throw new UsageError("The two are not the same: nothing was changed");
  return first;
}
