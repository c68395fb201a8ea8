import { describe, expect, test } from "vitest";
import { maskData } from "../../blocks/documents/secrets.rules.ts";
import { blockSecretMasker } from "./hidden-secrets.rules.ts";

const secrets = {
  paths: [["url"], ["headers", "*"], ["pin"]],
  isUndescribed: false,
};
const block = {
  url: "https://u:pa55word@hooks.example/services/T00000001/B0?key=abc-123#frag",
  headers: { authorization: "Bearer xyz42", accept: null },
  pin: 1234567,
  method: "POST",
};
const hide = blockSecretMasker(block, maskData(block, secrets));

describe("secrets of a block", () => {
  test.each([
    "the address https://u:pa55word@hooks.example/services/T00000001/B0?key=abc-123#frag",
    "Cannot POST /services/T00000001/B0",
    "no such hook: T00000001",
    "query abc-123",
    "user pa55word",
    `Basic ${Buffer.from("u:pa55word").toString("base64")}`,
    "echo: Bearer xyz42",
    "encoded Bearer%20xyz42",
    "encoded as in forms Bearer+xyz42",
    "pin 1234567",
  ])("are not in: %s", (text) => {
    const hidden = hide(text);
    expect(hidden).toContain("********");
    expect(hidden).not.toMatch(/pa55word|T00000001|abc-123|xyz42|1234567|dTpwYTU1d29yZA/);
  });

  test("leave the rest of a text alone", () => {
    expect(hide("POST to https://hooks.example failed")).toBe(
      "POST to https://hooks.example failed",
    );
    const bare = { method: "POST" };
    expect(blockSecretMasker(bare, maskData(bare, secrets))("POST")).toBe("POST");
  });
});
