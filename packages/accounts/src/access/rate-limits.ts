import {
  type HttpApp,
  TokenBuckets,
  type TokenRate,
  type TokensLeft,
} from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { KeyAccess } from "./key-cache.ts";
import type { LimitSettings } from "./limit-settings.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the key may still ask for; null where it may ask for any number. */
    allowance: (TokensLeft & TokenRate) | null;
  }
}

const MOST_NAMES = 20_000;

/**
 * Limits the requests of each key, and of each address without a valid credential. The counters are
 * in memory, so each replica has its own.
 */
export class RateLimits {
  readonly #settings: LimitSettings;
  readonly #keys = new TokenBuckets(MOST_NAMES);
  readonly #addresses = new TokenBuckets(MOST_NAMES);

  constructor(settings: LimitSettings) {
    this.#settings = settings;
  }

  /** Throws `too_many_requests` when the key has asked too often. */
  charge(request: FastifyRequest, access: KeyAccess): void {
    const allowance = this.#allowanceOf(access);
    if (allowance === null) return;
    const name = access.keyId ?? access.sessionId ?? access.actor.id;
    const left = this.#keys.take(name, allowance);
    request.allowance = { ...left, ...allowance };
    if (!left.isTaken) throw tooMany(`The key may ask ${allowance.perMinute} times a minute`, left);
  }

  /**
   * The error for a request without a valid credential. Requests with one are not counted here,
   * also from the same address.
   */
  refusal({ ip }: FastifyRequest, unauthorized: AppError): AppError {
    const { refusalsPerMinute: perMinute } = this.#settings;
    if (perMinute === 0) return unauthorized;
    const left = this.#addresses.take(ip, { perMinute, burst: perMinute });
    return left.isTaken ? unauthorized : tooMany("Too many requests without a good key", left);
  }

  #allowanceOf({ requestsPerMinute }: KeyAccess): TokenRate | null {
    const perMinute = requestsPerMinute ?? this.#settings.requestsPerMinute;
    return perMinute === 0 ? null : { perMinute, burst: Math.min(this.#settings.burst, perMinute) };
  }
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

function tooMany(reason: string, { waitMs }: TokensLeft): AppError {
  const retryAfterSeconds = seconds(waitMs);
  const message = `${reason}: try again in ${retryAfterSeconds} s`;
  return new AppError("too_many_requests", message, { retryAfterSeconds });
}

/**
 * As the draft of the IETF has them: what is allowed, what is left of it, and when there is more.
 */
export function installRateHeaders(app: HttpApp): void {
  app.decorateRequest("allowance", null);
  app.addHook("onSend", (request, reply, payload, done) => {
    if (request.allowance !== null) tell(reply, request.allowance);
    done(null, payload);
  });
}

function tell(
  reply: FastifyReply,
  { perMinute, burst, tokens, waitMs }: TokensLeft & TokenRate,
): void {
  reply.header("ratelimit-policy", `"key";q=${perMinute};w=60, "burst";q=${burst}`);
  reply.header("ratelimit", `"key";r=${tokens};t=${waitMs === 0 ? 0 : seconds(waitMs)}`);
}
