import { expect, test } from "vitest";
import { testHttpApp } from "../testing/test-http-app.ts";
import { trustedProxies } from "./trusted-proxies.ts";

test.each([
  ["none", []],
  ["127.0.0.1", ["127.0.0.1"]],
  ["10.0.0.0/8, ::1 ,fd00::/8", ["10.0.0.0/8", "::1", "fd00::/8"]],
])("%s names proxies", (given, expected) => {
  expect(trustedProxies.parse(given, {})).toEqual(expected);
});

test.each(["proxy.lan", "10.0.0.0/33", "10.0.0/8", "127.0.0.1/", "*", "", "1.2.3.4,"])(
  "'%s' names none",
  (given) => expect(trustedProxies.parse(given, {})).toBeUndefined(),
);

async function addressOf(
  proxies: readonly string[],
  forwarded: string,
  remoteAddress = "10.0.0.7",
): Promise<string> {
  await using t = testHttpApp({
    app: { trustedProxies: proxies },
    routes: (api) => {
      api.get("/address", async (request) => ({ address: request.ip }));
    },
  });
  const headers = { "x-forwarded-for": forwarded };
  const answer = await t.app.inject({ url: "/api/address", headers, remoteAddress });
  return answer.json<{ readonly address: string }>().address;
}

test("nobody is believed unless somebody is named", async () => {
  expect(await addressOf([], "192.0.2.1")).toBe("10.0.0.7");
});

test("a proxy that is named says where a request comes from", async () => {
  expect(await addressOf(["10.0.0.0/8"], "192.0.2.1")).toBe("192.0.2.1");
});

test("others are not believed, and what a caller writes before a proxy's word is not either", async () => {
  expect(await addressOf(["10.0.0.7"], "192.0.2.1", "10.0.0.8")).toBe("10.0.0.8");
  expect(await addressOf(["10.0.0.7"], "192.0.2.99, 192.0.2.1")).toBe("192.0.2.1");
});
