import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../clock/clock.ts";
import { createPrivateFile } from "./durable-file.ts";
import { openKeyring } from "./keyring.ts";
import { KeyringError } from "./keyring-error.ts";

const CONTEXT = "rows/1/data";

let root: string;
let folder: string;
let path: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "keyring-"));
  folder = join(root, "secrets");
  path = join(folder, "keys.json");
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function errorOf(act: () => unknown): KeyringError {
  try {
    act();
  } catch (error) {
    if (error instanceof KeyringError) return error;
    throw error;
  }
  throw new Error("Nothing was refused");
}

function keysInFile(): string[] {
  return JSON.parse(readFileSync(path, "utf8")).keys.map((entry: { key: string }) => entry.key);
}

/** A clock that lets something happen at the moment it is first asked. */
function interruptedClock(interrupt: () => void): Clock {
  let isFirst = true;
  const now = (): string => {
    if (isFirst) {
      isFirst = false;
      interrupt();
    }
    return systemClock.now();
  };
  return { ...systemClock, now };
}

describe("the key file", () => {
  test("is made at first use, for its owner alone, and leaves nothing else behind", () => {
    const keyring = openKeyring({ folder });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual(["keys.json"]);
    const file = JSON.parse(readFileSync(path, "utf8"));
    expect(file).toEqual({
      active: keyring.activeKeyId(),
      keys: [
        {
          id: expect.stringMatching(/^[0-9a-f]{8}$/),
          key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
          created: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ],
    });
  });

  test("is the same for two processes that make it at once", () => {
    let sealedByOther = "";
    const clock = interruptedClock(() => {
      sealedByOther = openKeyring({ folder }).seal("hello", CONTEXT);
    });
    const keyring = openKeyring({ folder, clock });
    expect(keyring.open(sealedByOther, CONTEXT)).toBe("hello");
    expect(keysInFile()).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(["keys.json"]);
  });

  test("is not replaced by a creation that comes second", () => {
    expect(createPrivateFile(path, "first")).toBe(true);
    expect(createPrivateFile(path, "second")).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("first");
  });

  test.skipIf(process.platform === "win32").each([0o644, 0o640, 0o660, 0o700])(
    "is refused with mode %o, in one sentence that says what to do",
    (mode) => {
      openKeyring({ folder });
      chmodSync(path, mode);
      const error = errorOf(() => openKeyring({ folder }));
      expect(error.reason).toBe("open_permissions");
      expect(error.message).toContain(`run "chmod 600 ${path}"`);
    },
  );

  test("may be read-only", () => {
    const sealed = openKeyring({ folder }).seal("hello", CONTEXT);
    chmodSync(path, 0o400);
    expect(openKeyring({ folder }).open(sealed, CONTEXT)).toBe("hello");
  });

  test.each<[string, (content: string) => string]>([
    ["is cut short", (content) => content.slice(0, -10)],
    ["is empty", () => ""],
    ["is another thing", () => "[]"],
    ["has no keys", (content) => JSON.stringify({ ...JSON.parse(content), keys: [] })],
    [
      "lacks its active key",
      (content) => content.replace(/"active": "\w+"/, '"active": "00000000"'),
    ],
    ["has a key that is too short", (content) => content.replace(/"key": "..../, '"key": "')],
    [
      "has a key under a wrong id",
      (content) => content.replaceAll(/"(id|active)": "\w+"/g, '"$1": "00000000"'),
    ],
    ["has a spoilt key", (content) => content.replace(/"key": "./, '"key": "!')],
  ])("is refused by name and without its keys when it %s", (_how, spoil) => {
    openKeyring({ folder });
    const [key = ""] = keysInFile();
    writeFileSync(path, spoil(readFileSync(path, "utf8")));
    const error = errorOf(() => openKeyring({ folder }));
    expect(error.reason).toBe("bad_key_file");
    expect(error.message).toContain(path);
    expect(error.cause).toBeUndefined();
    expect(`${error.message}${error.stack}`).not.toContain(key.slice(4, 20));
  });

  test("that disappears stops sealing, which would otherwise be for ever", () => {
    const keyring = openKeyring({ folder });
    const sealed = keyring.seal("hello", CONTEXT);
    rmSync(path);
    expect(errorOf(() => keyring.seal("hello", CONTEXT)).reason).toBe("missing_key_file");
    expect(keyring.open(sealed, CONTEXT)).toBe("hello");
  });
});

describe("rotation", () => {
  test("seals with a new key and still opens what the old one sealed, after a restart too", () => {
    const keyring = openKeyring({ folder });
    const before = keyring.seal("before", CONTEXT);
    const oldId = keyring.activeKeyId();
    const newId = keyring.rotate();
    expect(newId).not.toBe(oldId);
    expect(keyring.activeKeyId()).toBe(newId);
    const after = keyring.seal("after", CONTEXT);
    expect(after).toContain(`:${newId}:`);
    for (const ring of [keyring, openKeyring({ folder })]) {
      expect(ring.open(before, CONTEXT)).toBe("before");
      expect(ring.open(after, CONTEXT)).toBe("after");
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["keys.json"]);
  });

  test("by another process is noticed when one of its values is opened", () => {
    const keyring = openKeyring({ folder });
    const other = openKeyring({ folder });
    other.rotate();
    expect(keyring.open(other.seal("hello", CONTEXT), CONTEXT)).toBe("hello");
  });

  test("by another process is noticed at the next sealing", () => {
    const keyring = openKeyring({ folder });
    const newId = openKeyring({ folder }).rotate();
    expect(keyring.seal("hello", CONTEXT)).toContain(`:${newId}:`);
  });

  test("is refused while another process rotates, and loses none of the keys", () => {
    const other = openKeyring({ folder });
    let refusal: KeyringError | undefined;
    const clock = interruptedClock(() => {
      refusal = errorOf(() => other.rotate());
    });
    openKeyring({ folder, clock }).rotate();
    expect(refusal?.reason).toBe("busy_key_file");
    other.rotate();
    expect(keysInFile()).toHaveLength(3);
  });

  test("does not go on with old keys when the new file cannot be used", () => {
    const keyring = openKeyring({ folder });
    openKeyring({ folder }).rotate();
    chmodSync(path, 0o644);
    expect(() => keyring.seal("hello", CONTEXT)).toThrow(KeyringError);
    expect(() => keyring.seal("hello", CONTEXT)).toThrow(KeyringError);
  });
});

describe("dropping keys", () => {
  test("forgets those that are neither active nor in use", () => {
    const keyring = openKeyring({ folder });
    const first = keyring.activeKeyId();
    const sealedByFirst = keyring.seal("one", CONTEXT);
    const second = keyring.rotate();
    const sealedBySecond = keyring.seal("two", CONTEXT);
    keyring.rotate();
    expect(keyring.dropUnused([second])).toEqual([first]);
    expect(keyring.open(sealedBySecond, CONTEXT)).toBe("two");
    expect(errorOf(() => keyring.open(sealedByFirst, CONTEXT)).reason).toBe("unknown_key");
  });

  test("never forgets the active key", () => {
    const keyring = openKeyring({ folder });
    expect(keyring.dropUnused([])).toEqual([]);
    expect(keysInFile()).toHaveLength(1);
  });
});
