import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

// A hash is `scrypt:<log2 of the cost>:<salt>:<key>`: it says itself how it is to be checked.

/** 2^15 rounds of 8 blocks: 32 MiB and some fifty milliseconds for each try. */
export const PASSWORD_COST = 15;

const BLOCKS = 8;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, cost);
  return `scrypt:${cost}:${salt.toString("base64url")}:${key.toString("base64url")}`;
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, cost = "", salt = "", expected = ""] = hash.split(":");
  const key = await derive(password, Buffer.from(salt, "base64url"), Number(cost));
  const known = Buffer.from(expected, "base64url");
  return key.length === known.length && timingSafeEqual(key, known);
}

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { cost: 2 ** cost, blockSize: BLOCKS, maxmem: 256 * BLOCKS * 2 ** cost };
  return new Promise((resolve, reject) => {
    // The same text can be written in several ways; people cannot tell them apart.
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
