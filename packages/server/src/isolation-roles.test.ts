// Made of the documents of the server: a new operation is tried as soon as it is described.
import { expect, test } from "vitest";
import {
  type DocumentedOperation,
  documentedOperations,
  forEachOperation,
} from "./testing/documented-operations.ts";
import { accountsServer, type ServerAccount } from "./testing/guarded-server.ts";
import { isAtLeast, lowestRoles, RANKS, type Rank } from "./testing/lowest-roles.ts";
import { type Home, unknownIds } from "./testing/planted-workspace.ts";
import { describeEachServer } from "./testing/shared-server.ts";
import { operationName, validRequest } from "./testing/strange-requests.ts";
import { anotherAccount, createKeyOf, deadKeys } from "./testing/tenants.ts";

/** Whoever may do it does it to the account they have. */
const ENDS_ACCOUNT = /^DELETE \/api\/accounts\/\{account_id\}(\/workspaces\/\{workspace_id\})?$/;

/**
 * Asks for more than a role: for what nobody can make up, and for a key that goes as far as its
 * user.
 */
const ASKS_MORE = new Set([
  "GET /api/events/filter/next",
  "PATCH /api/me",
  "POST /api/me/password",
]);

async function askers(server: ServerAccount): Promise<(Home & { readonly rank: Rank })[]> {
  const here = { accountId: server.accountId, workspaceId: server.workspaceId };
  const some = RANKS.filter((rank) => ["viewer", "runner", "developer", "admin"].includes(rank));
  const homes = [];
  for (const rank of some)
    homes.push({ ...here, rank, key: await createKeyOf(server, { role: rank, name: rank }) });
  const other = await anotherAccount(server);
  return [
    ...homes,
    { ...other, rank: "owner" },
    { ...here, rank: "operator", key: server.ownerKey },
  ];
}

/** A valid request that finds nothing to do it to but the asker's account and workspace. */
function requestOf(operation: DocumentedOperation, { accountId, workspaceId }: Omit<Home, "key">) {
  const { method, path, body } = validRequest(operation, unknownIds({ accountId, workspaceId }));
  return { method, path, call: body === undefined ? {} : { body } };
}

/** So many refusals would otherwise be one too many. */
const WITHOUT_END = { ORCHESTRATOR_RATE_LIMIT_REFUSALS_PER_MINUTE: "0" };

describeEachServer(
  "every documented operation",
  (shared) => {
    test("is refused without a key, and with one that is unknown, has expired or was revoked", async () => {
      const server = await shared.account();
      const keys = Object.entries(await deadKeys(server));
      const operations = await documentedOperations(server);
      expect(operations.length).toBeGreaterThan(250);
      const home = { accountId: server.accountId, workspaceId: server.workspaceId };
      const wrong: string[] = [];
      await forEachOperation(
        operations.filter(({ isPublic }) => !isPublic),
        async (operation) => {
          const { method, path, call } = requestOf(operation, home);
          for (const [label, key] of keys) {
            const answer = await server.call(method, path, {
              ...call,
              ...(key === null ? {} : { key }),
            });
            if (answer.status !== 401)
              wrong.push(`${operationName(operation)}, ${label}: ${answer.status}`);
          }
        },
      );
      expect(wrong).toEqual([]);
    }, 300_000);

    test("is done or refused as the table of roles says", async () => {
      // Its owner is the operator.
      const server = shared.firstAccount();
      const roles = lowestRoles();
      const operations = await documentedOperations(server);
      const names = operations.map(operationName);
      expect(names.filter((name) => !roles.has(name))).toEqual([]);
      const known = [...roles.keys()].filter((name) => !name.startsWith("WS "));
      expect(known.filter((name) => !names.includes(name))).toEqual([]);
      const open = operations.filter(({ isPublic }) => isPublic).map(operationName);
      expect(open.toSorted()).toEqual(
        known.filter((name) => roles.get(name) === "anybody").toSorted(),
      );

      const wrong: string[] = [];
      for (const asker of await askers(server))
        await forEachOperation(
          operations.filter(({ isPublic }) => !isPublic),
          async (operation) => {
            const name = operationName(operation);
            const isAllowed = isAtLeast(asker.rank, roles.get(name) ?? "operator");
            if (isAllowed && (ENDS_ACCOUNT.test(name) || ASKS_MORE.has(name))) return;
            const { method, path, call } = requestOf(operation, asker);
            const { status } = await server.call(method, path, { key: asker.key, ...call });
            const isWrong = isAllowed ? status === 401 || status === 403 : status !== 403;
            if (isWrong || status >= 500) wrong.push(`${name} as ${asker.rank}: ${status}`);
          },
        );
      expect(wrong).toEqual([]);
    }, 300_000);

    test("shows no secret of a block to those who only look", async () => {
      const server = await shared.account();
      const viewer = await createKeyOf(server, { role: "viewer" });
      const wrong: string[] = [];
      const home = { accountId: server.accountId, workspaceId: server.workspaceId };
      for (const operation of await documentedOperations(server)) {
        const { method, path, call } = requestOf(operation, home);
        const inQuery = operation.query.includes("include_secrets");
        const inBody = operation.path === "/api/block_documents/filter";
        if (!inQuery && !inBody) continue;
        const asked = inQuery ? { path: `${path}?include_secrets=true` } : { path };
        const body = inBody ? { body: { include_secrets: true } } : call;
        const { status } = await server.call(method, asked.path, { key: viewer, ...body });
        if (status !== 403) wrong.push(`${operationName(operation)}: ${status}`);
      }
      expect(wrong).toEqual([]);
    });
  },
  (engine) => accountsServer(engine, WITHOUT_END),
);
