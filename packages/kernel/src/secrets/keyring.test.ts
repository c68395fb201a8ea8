import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { secretKeys } from "./key-setting.ts";
import { type Keyring, openKeyring } from "./keyring.ts";
import { KeyringError } from "./keyring-error.ts";
import { reseal } from "./reseal.ts";
import { isSealed, sealedKeyId } from "./sealed-value.ts";

const CONTEXT = "rows/1/data";
const folder = join(tmpdir(), "keyring-that-is-never-made");

function aKey(): string {
  return randomBytes(32).toString("base64");
}

function aKeyring(secretKey = aKey()): Keyring {
  return openKeyring({ folder, secretKey });
}

function errorOf(act: () => unknown): KeyringError {
  try {
    act();
  } catch (error) {
    if (error instanceof KeyringError) return error;
    throw error;
  }
  throw new Error("Nothing was refused");
}

function flipBit(sealed: string, index: number): string {
  const [payload = "", ...head] = sealed.split(":").reverse();
  const bytes = Buffer.from(payload, "base64url");
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return [...head.reverse(), bytes.toString("base64url")].join(":");
}

describe("sealing", () => {
  test.each(["", "secret", "é 🔑 \u0000", "x".repeat(100_000)])(
    "gives the text back when opened",
    (text) => {
      const keyring = aKeyring();
      const sealed = keyring.seal(text, CONTEXT);
      expect(isSealed(sealed)).toBe(true);
      expect(sealedKeyId(sealed)).toBe(keyring.activeKeyId());
      expect(keyring.open(sealed, CONTEXT)).toBe(text);
    },
  );

  test("gives another text each time, and none that shows the secret", () => {
    const keyring = aKeyring();
    const [one, two] = [keyring.seal("hunter2", CONTEXT), keyring.seal("hunter2", CONTEXT)];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^sealed:v1:[0-9a-f]{8}:[A-Za-z0-9_-]+$/);
    expect(Buffer.from(one.split(":")[3] ?? "", "base64url").toString("latin1")).not.toContain(
      "hunter2",
    );
  });

  test.each(["sealed:v1:", "sealed:v2:00000000:AAAA", "hunter2", "", "sealed:v1:0000000g:AAAA"])(
    "is not what happened to %j",
    (text) => {
      expect(isSealed(text)).toBe(false);
      const error = errorOf(() => aKeyring().open(text, CONTEXT));
      expect(error.reason).toBe("not_sealed");
      expect(error.message).not.toContain("hunter2");
    },
  );
});

describe("opening refuses", () => {
  test("a value that was moved to another place", () => {
    const keyring = aKeyring();
    const sealed = keyring.seal("hunter2", CONTEXT);
    const error = errorOf(() => keyring.open(sealed, "rows/2/data"));
    expect(error.reason).toBe("not_authentic");
    expect(error.message).not.toContain("hunter2");
  });

  test("a value with any bit flipped", () => {
    const keyring = aKeyring();
    const sealed = keyring.seal("hunter2", CONTEXT);
    for (let index = 0; index < 12 + 16 + "hunter2".length; index += 1) {
      expect(errorOf(() => keyring.open(flipBit(sealed, index), CONTEXT)).reason).toBe(
        "not_authentic",
      );
    }
  });

  test("a value spelled differently, even where the bytes are the same", () => {
    const keyring = aKeyring();
    const sealed = keyring.seal("hunter2", CONTEXT);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = alphabet.indexOf(sealed.at(-1) ?? "");
    const respelt = sealed.slice(0, -1) + alphabet[last + 1];
    expect(Buffer.from(respelt.slice(19), "base64url")).toEqual(
      Buffer.from(sealed.slice(19), "base64url"),
    );
    expect(() => keyring.open(respelt, CONTEXT)).toThrow(KeyringError);
  });

  test("a value that is cut short or passed off as another key's", () => {
    const [one, two] = [aKey(), aKey()];
    const keyring = aKeyring(`${one},${two}`);
    const sealed = keyring.seal("hunter2", CONTEXT);
    expect(() => keyring.open(sealed.slice(0, -4), CONTEXT)).toThrow(KeyringError);
    const otherId = aKeyring(two).activeKeyId();
    const renamed = sealed.replace(keyring.activeKeyId(), otherId);
    expect(errorOf(() => keyring.open(renamed, CONTEXT)).reason).toBe("not_authentic");
  });

  test("a value of a key it does not have, naming the key by its id", () => {
    const other = aKeyring();
    const error = errorOf(() => aKeyring().open(other.seal("hunter2", CONTEXT), CONTEXT));
    expect(error.reason).toBe("unknown_key");
    expect(error.message).toContain(other.activeKeyId());
  });
});

describe("keys from a setting", () => {
  test("need no file", () => {
    aKeyring().seal("x", CONTEXT);
    expect(existsSync(folder)).toBe(false);
  });

  test("mean the same in base64, base64url and hex", () => {
    const bytes = randomBytes(32);
    const sealed = aKeyring(bytes.toString("base64")).seal("hello", CONTEXT);
    expect(aKeyring(bytes.toString("hex")).open(sealed, CONTEXT)).toBe("hello");
    expect(aKeyring(bytes.toString("base64url")).open(sealed, CONTEXT)).toBe("hello");
  });

  test("seal with the first and open with all", () => {
    const [older, newer] = [aKey(), aKey()];
    const sealed = aKeyring(older).seal("hello", CONTEXT);
    const keyring = aKeyring(`${newer}, ${older}`);
    expect(keyring.open(sealed, CONTEXT)).toBe("hello");
    expect(keyring.activeKeyId()).toBe(aKeyring(newer).activeKeyId());
  });

  test("are rotated by the setting, as the refusal says", () => {
    expect(errorOf(() => aKeyring().rotate())).toMatchObject({
      reason: "not_rotatable",
      message: expect.stringContaining("put a new key before the present one"),
    });
    expect(errorOf(() => aKeyring().dropUnused([])).reason).toBe("not_rotatable");
  });

  test.each(["", "hunter2", `${aKey()},`, `${aKey()},hunter2`, randomBytes(31).toString("hex")])(
    "are refused without being shown when they are not 32 bytes",
    (given) => {
      const error = errorOf(() => aKeyring(given));
      expect(error.reason).toBe("bad_key_setting");
      for (const part of given.split(",").filter(Boolean))
        expect(error.message).not.toContain(part);
      expect(secretKeys.parse(given, {})).toBeUndefined();
    },
  );

  test("pass the check of the settings as they are", () => {
    const given = `${aKey()},${randomBytes(32).toString("hex")}`;
    expect(secretKeys.parse(given, {})).toBe(given);
  });

  test("are not shown by printing the keyring", () => {
    const key = aKey();
    const keyring = aKeyring(key);
    const printed = inspect(keyring, { depth: 10, showHidden: true }) + JSON.stringify(keyring);
    expect(printed).not.toContain(key);
  });
});

describe("resealing", () => {
  test("moves a value to the active key and leaves one that is there already", () => {
    const [older, newer] = [aKey(), aKey()];
    const sealed = aKeyring(older).seal("hello", CONTEXT);
    const keyring = aKeyring(`${newer},${older}`);
    const moved = reseal(keyring, sealed, CONTEXT);
    if (moved === null) throw new Error("The value was not resealed");
    expect(aKeyring(newer).open(moved, CONTEXT)).toBe("hello");
    expect(reseal(keyring, moved, CONTEXT)).toBeNull();
  });

  test("refuses a value from another place", () => {
    const [older, newer] = [aKey(), aKey()];
    const sealed = aKeyring(older).seal("hello", CONTEXT);
    expect(() => reseal(aKeyring(`${newer},${older}`), sealed, "elsewhere")).toThrow(KeyringError);
  });
});
