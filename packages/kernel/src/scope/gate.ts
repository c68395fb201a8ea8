import type { FastifyRequest } from "fastify";
import { AppError } from "../errors/app-error.ts";
import { type Caller, openScope, type Scope } from "./scope.ts";
import { namedWorkspace } from "./workspace-path.ts";

export const AUTH_MODES = ["open", "password", "accounts"] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/** Lets in peers that say who they are in their first message. */
export interface SocketGate {
  /** The scope of whoever has the token; null if it is not accepted. */
  readonly admit: (
    request: FastifyRequest,
    token: string | null,
  ) => Scope | null | Promise<Scope | null>;
  /** Calls `end` once the peer may no longer stay; what it returns ends the watch. */
  readonly watch: (request: FastifyRequest, end: () => void) => () => void;
}

/** Something that acts where nobody asks, and the role that says how far it may go. */
export interface ActingService {
  readonly name: string;
  readonly role: string;
}

/** Says who asks and whose rows they may touch. Whoever puts the program together chooses one. */
export interface Gate extends SocketGate {
  readonly mode: AuthMode;
  /**
   * Throws `unauthorized`, `forbidden`, or `not_found` where the address names a workspace that is
   * not theirs.
   */
  readonly enter: (request: FastifyRequest) => Scope | Promise<Scope>;
  /**
   * Whether a browser brings along a session of this gate; services may have sessions of their own.
   */
  readonly hasSession: (request: FastifyRequest) => boolean;
  /** The scope of a request that is asked for other credentials, or for none. */
  readonly pass: (request: FastifyRequest) => Scope | Promise<Scope>;
  /**
   * What a service is as a caller. Throws `forbidden` where its role may not do the operation, such
   * as `POST /api/events`; null is nothing that could be refused.
   */
  readonly actAs: (service: ActingService, operation: string | null) => Caller;
  /**
   * What stands in front of the addresses of a workspace in the web UI; empty where there is only
   * one.
   */
  readonly placeOf: (workspaceId: string) => Promise<string>;
  /** The `WWW-Authenticate` header of a refusal. */
  readonly challenge: (request: FastifyRequest) => string | undefined;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether the route answers without credentials. */
    readonly isPublic?: boolean;
    /**
     * The address itself is the credential: whoever calls has neither logged in nor fetched a
     * token.
     */
    readonly hasOwnCredential?: boolean;
  }
}

/** Whether whoever asks need not be known here. */
export function allowsAnonymous({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.isPublic === true || config.hasOwnCredential === true;
}

/**
 * The scope of a request to a server with one workspace: an address may name that one and no other.
 */
export function soleScope({ id, raw, ip }: FastifyRequest): Scope {
  const scope = openScope(id, ip);
  const named = namedWorkspace(raw);
  if (named === null) return scope;
  const { workspaceId } = scope;
  // Both ids are the same, as there is nothing to tell apart.
  if (named.workspaceId === workspaceId && named.accountId === workspaceId) return scope;
  throw new AppError("not_found", "Not Found");
}

/** A service as a caller, where nobody is asked for a role. */
export const serviceCaller = ({ name }: ActingService): Caller => ({
  kind: "service",
  id: name,
  name,
});

/** Asks nobody. */
export const openGate: Gate = {
  mode: "open",
  enter: soleScope,
  hasSession: () => false,
  pass: soleScope,
  admit: soleScope,
  watch: () => () => {},
  actAs: serviceCaller,
  placeOf: async () => "",
  challenge: () => undefined,
};
