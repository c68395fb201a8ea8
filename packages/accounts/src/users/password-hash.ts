import { randomBytes } from "node:crypto";

/** 19 MiB and two passes: some forty milliseconds for each try. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Loaded with the first password: a server without accounts has none. */
const argon2 = () => import("@node-rs/argon2");

/** By argon2id, which is what the library does unless told otherwise. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return hash(normal(password), COST);
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const { verify } = await argon2();
  return verify(hash, normal(password));
}

let standIn: Promise<string> | null = null;

/**
 * The hash of a password that nobody knows, so that it takes as long to try one for a user that
 * there is not.
 */
export function standInHash(): Promise<string> {
  standIn ??= hashPassword(randomBytes(32).toString("base64url"));
  return standIn;
}

/** The same text can be written in several ways; people cannot tell them apart. */
const normal = (password: string): string => password.normalize("NFKC");
