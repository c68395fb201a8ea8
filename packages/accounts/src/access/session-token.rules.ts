import { randomBytes } from "node:crypto";
import { type SecretCookie, secretCookie } from "@orchestrator/kernel/http";
import { hashKey } from "./key-text.rules.ts";

const TOKEN_BYTES = 32;

/** What the browser of somebody who is signed in holds. */
export const sessionCookie: SecretCookie = secretCookie({
  name: "orchestrator_session",
  path: "/",
});

/** 256 random bits, which nobody guesses. */
export const makeSessionToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

export const hashSessionToken: (token: string) => string = hashKey;
