import { describe, expect, test } from "vitest";
import { maskUrl, maskUrlsIn } from "./mask.ts";

describe("maskUrl", () => {
  test.each([
    ["postgres://u:pw@h/db", "postgres://u:***@h/db"],
    ["postgres://u:pw@h:5432/db?sslmode=require", "postgres://u:***@h:5432/db?sslmode=require"],
    ["https://u:pw@example.org/@scope/name", "https://u:***@example.org/@scope/name"],
    ["redis://:pw@h", "redis://:***@h"],
    ["postgres://u:p@w@h/db", "postgres://u:***@h/db"],
    ["postgres://h/db?user=u&password=pw&x=1", "postgres://h/db?user=u&password=***&x=1"],
    ["https://h/hook?access_token=pw", "https://h/hook?access_token=***"],
  ])("hides the password in %s", (given, shown) => {
    expect(maskUrl(given)).toBe(shown);
  });

  test.each([
    ["postgres://u:p/w@h/db", "postgres://***@h/db"],
    ["postgres://u:p#w@h/db", "postgres://***@h/db"],
    ["postgres://u:p?w@h/db", "postgres://***@h/db"],
    ["postgres://u:12#w@h/db", "postgres://***@h/db"],
    ["postgres://u:p@w/x@h/db", "postgres://***@h/db"],
    ["https://u:p/w@h/x", "https://***@h/x"],
    ["postgres:u:pw@h/db", "***@h/db"],
    ["u:pw@h", "***@h"],
  ])("hides everything before the host of the broken address %s", (given, shown) => {
    expect(maskUrl(given)).toBe(shown);
  });

  test.each([
    "postgres://u@h/db",
    "https://example.org:8080/@scope/name",
    "https://[::1]:8080/@scope",
    "sqlite:///home/me@work/x.db",
    "sqlite::memory:",
    "plain text",
    "",
  ])("leaves %s as it is", (given) => {
    expect(maskUrl(given)).toBe(given);
  });
});

describe("maskUrlsIn", () => {
  test("hides the password of every address in a sentence", () => {
    const text =
      'from "postgres://a:one@h/db", to (https://b:two@h/x),redis://c:three@h/0 for me@x.org';
    const masked = maskUrlsIn(text);
    expect(masked).not.toMatch(/one|two|three/);
    expect(masked).toContain("postgres://a:***@h/db");
    expect(masked).toContain("https://b:***@h/x");
    expect(masked).toContain(" for me@x.org");
  });

  test("hides a secret parameter of a path", () => {
    expect(maskUrlsIn("GET /hook?id=1&token=pw HTTP")).toBe("GET /hook?id=1&token=*** HTTP");
    expect(maskUrlsIn("GET /hook?key=pw&X-Amz-Signature=pw")).toBe(
      "GET /hook?key=***&X-Amz-Signature=***",
    );
    expect(maskUrlsIn("Is the token=pw?")).toBe("Is the token=pw?");
  });

  test("leaves text without an address as it is", () => {
    expect(maskUrlsIn("12:30 mail me@x.org")).toBe("12:30 mail me@x.org");
  });

  test("takes time in proportion to hostile input", () => {
    const started = performance.now();
    maskUrlsIn("a://".repeat(50_000));
    maskUrlsIn(`x://h/?${"token".repeat(50_000)}`);
    maskUrlsIn(`x://${"?".repeat(200_000)}`);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
