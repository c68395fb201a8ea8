import type { FastifyRequest } from "fastify";
import { AppError } from "../errors/app-error.ts";
import { safeEqual } from "../secrets/safe-equal.ts";
import { basicText, bearerToken } from "./authorization.ts";
import { allowsAnonymous, type Gate, serviceCaller, soleScope } from "./gate.ts";

/**
 * One secret for everybody, usually `user:password`: HTTP Basic, or the token of a socket's first
 * message. Clients that know keys only send it as one.
 */
export function passwordGate(secret: string): Gate {
  const isRight = (given: string | null): boolean => given !== null && safeEqual(given, secret);
  const isKnown = ({ headers }: FastifyRequest): boolean =>
    isRight(basicText(headers.authorization) ?? bearerToken(headers.authorization));
  return {
    mode: "password",
    enter(request) {
      if (!allowsAnonymous(request) && !isKnown(request))
        throw new AppError("unauthorized", "The credentials are missing or wrong");
      return soleScope(request);
    },
    hasSession: () => false,
    pass: soleScope,
    admit(request, token) {
      return isRight(token) || (token === null && isKnown(request)) ? soleScope(request) : null;
    },
    watch: () => () => {},
    actAs: serviceCaller,
    placeOf: async () => "",
    challenge: browserChallenge,
  };
}

/**
 * Only a browser has a dialogue for it; other clients are used to being refused without a word on
 * how to go on.
 */
function browserChallenge({ headers }: FastifyRequest): string | undefined {
  return headers["sec-fetch-site"] === undefined ? undefined : 'Basic realm="orchestrator"';
}
