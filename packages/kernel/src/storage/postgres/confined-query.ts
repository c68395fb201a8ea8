// A statement that runs under a role which sees the rows of one workspace only. Whatever the
// connection was used for before, the statement brings its own confinement along, in the same
// message to the server: no round trip more, and where the confinement fails the statement does not
// run.

import type { ClientBase, QueryResult } from "pg";
import {
  type Message,
  PreparedQuery,
  type QuerySender,
  type Wire,
  wireOf,
} from "./prepared-query.ts";

/** What the database itself puts between workspaces. */
export interface Wall {
  /** The role that policies hold to one workspace. */
  readonly role: string;
  /** Where the tables are: `$user` in the server's own setting would follow the role. */
  readonly searchPath: string;
}

/** A named setting of the session, which the policies compare with. */
export const WORKSPACE_SETTING = "orchestrator.workspace";

/** Gives no row, so that the answer holds nothing but those of the statement behind it. */
const ENTER = {
  name: "enter",
  text: `select where num_nulls(set_config('role', $1, false), set_config('${WORKSPACE_SETTING}', $2, false)) > 0`,
};
const NO_ROLE = "none";

/** What a connection is confined to: a workspace, nothing (null), or we do not know (undefined). */
interface Session {
  workspaceId: string | null | undefined;
  /** Statements under way, each by itself, that bring a confinement along. */
  entering: number;
}
const sessions = new WeakMap<Wire, Session>();

export const isReady = (client: ClientBase): boolean => sessions.has(wireOf(client));

/** Once for each connection, outside any transaction. */
export async function makeReady(client: ClientBase, { searchPath }: Wall): Promise<void> {
  await client.query("select set_config('search_path', $1, false)", [searchPath]);
  await client.query({ ...ENTER, values: [NO_ROLE, ""] });
  sessions.set(wireOf(client), { workspaceId: null, entering: 0 });
}

/** A transaction that is taken back takes with it what was set inside it. */
export function forgetConfinement(client: ClientBase): void {
  const session = sessions.get(wireOf(client));
  if (session !== undefined) session.workspaceId = undefined;
}

/** For whoever has reset the session itself. */
export function forgetSession(client: ClientBase): void {
  sessions.delete(wireOf(client));
}

/** Where a statement runs. */
export interface Where {
  readonly workspaceId: string | null;
  /** What fails there takes all that follows with it. */
  readonly isInTransaction: boolean;
}

export interface Confinement extends Where {
  readonly wall: Wall;
}

/**
 * Runs a statement in a workspace, or in all of them where that is null, on a connection that is
 * ready.
 */
export function runConfined(
  line: QuerySender,
  message: Message,
  confinement: Confinement,
): Promise<QueryResult> {
  return new ConfinedQuery(message, confinement).run(line);
}

class ConfinedQuery extends PreparedQuery {
  readonly #confinement: Confinement;
  /** The connection still has to say that it is confined. */
  #isEntering = false;
  /** It is among those that bring a confinement along by themselves. */
  #isCounted = false;

  constructor(message: Message, confinement: Confinement) {
    super(message);
    this.#confinement = confinement;
  }

  override submit(connection: Wire): Error | null {
    const session = sessions.get(connection);
    if (session === undefined) return new Error("The connection was not made ready");
    const { workspaceId, isInTransaction, wall } = this.#confinement;
    if (session.workspaceId === workspaceId) return super.submit(connection);
    // In a transaction others may rely on it before it is answered: where it fails, they do too. By
    // themselves they go on where one before them failed, which took its confinement back with it:
    // until one was answered, each brings its own.
    session.workspaceId = isInTransaction ? workspaceId : undefined;
    if (!isInTransaction) session.entering += 1;
    this.#isCounted = !isInTransaction;
    this.#isEntering = true;
    const values = workspaceId === null ? [NO_ROLE, ""] : [wall.role, workspaceId];
    connection.stream.cork();
    try {
      connection.bind({ statement: ENTER.name, values });
      connection.execute({});
      // What follows ends the message: both succeed, or neither has any effect.
      return super.submit(connection);
    } finally {
      connection.stream.uncork();
    }
  }

  override handleCommandComplete(message: object, connection: Wire): void {
    if (this.#isEntering) this.#isEntering = false;
    else super.handleCommandComplete(message, connection);
  }

  override handleReadyForQuery(connection: Wire): void {
    const session = sessions.get(connection);
    const wasCounted = this.#isCounted;
    this.#uncount(session);
    // Of several under way the last decides.
    if (wasCounted && session?.entering === 0) session.workspaceId = this.#confinement.workspaceId;
    super.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: Wire): void {
    const session = sessions.get(connection);
    this.#uncount(session);
    if (session !== undefined) session.workspaceId = undefined;
    super.handleError(error, connection);
  }

  #uncount(session: Session | undefined): void {
    if (session !== undefined && this.#isCounted) session.entering -= 1;
    this.#isCounted = false;
  }
}
