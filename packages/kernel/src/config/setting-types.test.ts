import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import {
  byteSize,
  byteSizeBetween,
  choice,
  choices,
  durationBetween,
  durationType,
  flagType,
  folder,
  integer,
  port,
  type SettingType,
  type SettingValue,
  textType,
  url,
  webOrigins,
} from "./setting-types.ts";

const env = { HOME: "/home/ada" };

function parse<T extends SettingValue>(type: SettingType<T>, given: string): T | undefined {
  return type.parse(given, env);
}

describe("numbers", () => {
  test("an integer is read within its bounds, bounds included", () => {
    const type = integer(-1, 10);
    expect(["-1", "10", " 7 "].map((given) => parse(type, given))).toEqual([-1, 10, 7]);
    expect(type.expected).toBe("a whole number from -1 to 10");
  });

  test.each(["-2", "11", "1.5", "1e1", "0x1", "", "seven"])("an integer is not %j", (given) => {
    expect(parse(integer(-1, 10), given)).toBeUndefined();
  });

  test("a port may be 0 and may not pass 65535", () => {
    expect(parse(port, "0")).toBe(0);
    expect(parse(port, "65535")).toBe(65_535);
    expect(parse(port, "65536")).toBeUndefined();
  });
});

test.each([
  ["true", true],
  ["1", true],
  ["YES", true],
  ["false", false],
  ["0", false],
  ["No", false],
  ["on", undefined],
  ["2", undefined],
])("the flag %j is read as %s", (given, value) => {
  expect(parse(flagType, given)).toBe(value);
});

describe("durations", () => {
  test.each([
    ["500ms", 500],
    ["30s", 30_000],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["7d", 604_800_000],
    ["15", 15_000],
    ["1.5h", 5_400_000],
    ["0", 0],
  ])("%s is %d milliseconds", (given, ms) => {
    expect(parse(durationType, given)).toBe(ms);
  });

  test.each(["-5s", "5 weeks", "s", "1h30m", "", "99999999999999999d"])(
    "%j is no duration",
    (given) => {
      expect(parse(durationType, given)).toBeUndefined();
    },
  );

  test.each([0, 1, 500, 1_000, 90_000, 3_600_000, 86_400_000, 1_234_567])(
    "%d milliseconds are written so that they read back the same",
    (ms) => {
      expect(parse(durationType, durationType.format(ms))).toBe(ms);
    },
  );

  test("bounds are part of the range and named in the expectation", () => {
    const type = durationBetween(1_000, 60_000);
    expect(["1s", "1m", "999ms", "61s"].map((given) => parse(type, given))).toEqual([
      1_000,
      60_000,
      undefined,
      undefined,
    ]);
    expect(type.expected).toMatch(/ from 1s to 1m$/);
  });
});

describe("sizes", () => {
  test.each([
    ["1MiB", 1_048_576],
    ["512KiB", 524_288],
    ["2gib", 2_147_483_648],
    ["100", 100],
    ["64B", 64],
  ])("%s is %d bytes", (given, bytes) => {
    expect(parse(byteSize, given)).toBe(bytes);
  });

  test.each(["1MB", "-1", "MiB", "one"])("%j is no size", (given) => {
    expect(parse(byteSize, given)).toBeUndefined();
  });

  test.each([0, 100, 1_024, 1_536, 1_048_576])("%d bytes read back the same", (bytes) => {
    expect(parse(byteSize, byteSize.format(bytes))).toBe(bytes);
  });

  test("a size outside its bounds is refused", () => {
    expect(parse(byteSizeBetween(1_024, 2_048), "3KiB")).toBeUndefined();
  });
});

describe("choices", () => {
  const colours = ["red", "green", "blue"] as const;

  test("one option is found whatever its case", () => {
    expect(parse(choice(colours), "GREEN")).toBe("green");
    expect(parse(choice(colours), "pink")).toBeUndefined();
  });

  test("several options keep the order in which they are given", () => {
    expect(parse(choices(colours), "blue, red")).toEqual(["blue", "red"]);
  });

  test.each(["", "red,", "red,red", "red,pink"])("%j is no list of options", (given) => {
    expect(parse(choices(colours), given)).toBeUndefined();
  });
});

describe("text, addresses and folders", () => {
  test("text is kept to the letter and may not be empty", () => {
    expect(parse(textType, " two words ")).toBe(" two words ");
    expect(parse(textType, "")).toBeUndefined();
  });

  test.each(["postgres://u:p@h/db", "sqlite::memory:", "sqlite:/tmp/x.db"])(
    "%s is an address",
    (given) => {
      expect(parse(url(["postgres", "sqlite"]), given)).toBe(given);
    },
  );

  test.each(["mysql://h/db", "h/db", ""])(
    "%j is not an address of the schemes asked for",
    (given) => {
      expect(parse(url(["postgres", "sqlite"]), given)).toBeUndefined();
    },
  );

  test.each(["http:", "http:///x", "http:example.org"])(
    "the web address %s needs a host",
    (given) => {
      expect(parse(url(["http", "https"]), given)).toBeUndefined();
    },
  );

  test("a folder path begins at the home folder after a tilde and is absolute otherwise", () => {
    expect(parse(folder, "~")).toBe("/home/ada");
    expect(parse(folder, "~/data")).toBe("/home/ada/data");
    expect(parse(folder, "data")).toBe(resolve("data"));
    expect(parse(folder, "/srv/../var")).toBe("/var");
    expect(parse(folder, " ")).toBeUndefined();
  });
});

test.each([
  ["*", "*"],
  ["https://app.example", ["https://app.example"]],
  [
    "https://a.example:8443, http://localhost:3000",
    ["https://a.example:8443", "http://localhost:3000"],
  ],
  ["https://app.example/path", undefined],
  ["app.example", undefined],
  ["*, https://app.example", undefined],
])("web origins written as %j are %j", (given, value) => {
  expect(webOrigins.parse(given, {})).toEqual(value);
});
