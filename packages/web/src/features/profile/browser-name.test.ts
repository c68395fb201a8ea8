import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

const MOZILLA = "Mozilla/5.0";

test.each([
  [
    `${MOZILLA} (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36`,
    "Chrome on Linux",
  ],
  [
    `${MOZILLA} (Windows NT 10.0) AppleWebKit/537.36 Chrome/142 Safari/537.36 Edg/142`,
    "Edge on Windows",
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko Firefox/140.0`,
    "Firefox on macOS",
  ],
  [`${MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18 Safari/604`, "Safari on iOS"],
  ["curl/8.5.0", "curl/8.5.0"],
  ["", "Unknown"],
])("%j is called %j", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
