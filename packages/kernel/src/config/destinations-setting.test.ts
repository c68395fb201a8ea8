import { expect, test } from "vitest";
import { destinations } from "./destinations-setting.ts";

test("destinations are written as hosts, addresses and ranges with commas between them", () => {
  const parse = (text: string) => destinations.parse(text, {});
  expect(parse("Chat.lan., 10.0.0.5 ,192.168.0.0/16,fd00::/8")).toEqual([
    "chat.lan",
    "10.0.0.5",
    "192.168.0.0/16",
    "fd00::/8",
  ]);
  for (const wrong of ["", "a b", "10.0.0.0/33", "http://x", "x/8", "10.0.0.1,,x", "-x"])
    expect(parse(wrong)).toBeUndefined();
});
