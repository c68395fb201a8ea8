import { expect, test } from "vitest";
import { isLoopbackHost } from "./loopback.ts";

test.each(["localhost", "LocalHost", "127.0.0.1", "127.8.9.10", "::1", "0:0:0:0:0:0:0:1"])(
  "%s is reached from this machine alone",
  (host) => expect(isLoopbackHost(host)).toBe(true),
);

test("so is an IPv4 address of this machine that is written as an IPv6 one", () => {
  expect(isLoopbackHost("::ffff:127.0.0.1")).toBe(true);
});

test.each([
  "0.0.0.0",
  "::",
  "192.168.0.7",
  "example.org",
  "127.example.org",
  "localhost.example.org",
])("%s may be reached from elsewhere", (host) => expect(isLoopbackHost(host)).toBe(false));
