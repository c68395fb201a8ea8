import { expect, test } from "vitest";
import { isSecretParameter, mapSecretParameters } from "./secret-parameters.ts";

test.each(
  "api_key apikey apiKey token access_token sig signature key password secret X-Amz-Signature X-Amz-Security-Token client_secret authToken sessionId subscription-key pwd".split(
    " ",
  ),
)("the parameter %s looks like a credential", (name) => {
  expect(isSecretParameter(name)).toBe(true);
});

test.each("page q keyword monkey author sort design signal passenger id".split(" "))(
  "the parameter %s does not look like a credential",
  (name) => {
    expect(isSecretParameter(name)).toBe(false);
  },
);

test.each([
  ["https://a.example/x?id=1&token=a%20b&q=z#key=1", "https://a.example/x?id=1&token=*&q=z#key=1"],
  ["https://a.example/?api%5Fkey=1&token=&token", "https://a.example/?api%5Fkey=*&token=&token"],
  ["https://a.example/?token=a=b?c", "https://a.example/?token=*"],
  ["https://a.example/token=1#?token=1", "https://a.example/token=1#?token=1"],
])("of %s the values that look secret are replaced, and nothing else", (url, masked) => {
  expect(mapSecretParameters(url, () => "*")).toBe(masked);
});

test("parameters of one name are told apart", () => {
  const seen: [string, string, number][] = [];
  mapSecretParameters("https://a.example/?key=1&sig=2&key=3", (...parameter) => {
    seen.push(parameter);
    return "";
  });
  expect(seen).toEqual([
    ["1", "key", 0],
    ["2", "sig", 0],
    ["3", "key", 1],
  ]);
});
