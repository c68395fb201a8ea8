import { describe, expect, test } from "vitest";
import { readJson, writeJson, writeReadableJson } from "./exact-json.ts";
import { mapMembers, mergeMembers, namesInOrder } from "./key-order.ts";

describe("members whose names look like indexes", () => {
  test.each([
    '{"foo":1,"1":2}',
    '{"b":{"x":null,"0":[]},"a":[{"y":1,"10":2,"9":3}]}',
    '{"2":"a","1":"b"}',
    '{"foo":1.0,"1":12345678901234567890,"0":2e+22}',
    '{"foo":"{\\"x\\":0,\\"1\\":2}","1":"\\""}',
    '{"4294967295":1,"4294967294":2,"01":3,"-1":4,"1.5":5,"":6}',
    '{"x":{},"99999999999":1,"7":{"7":{"z":0,"7":7}}}',
  ])("of %s keep their places", (text) => {
    expect(writeJson(readJson(text))).toBe(text);
    expect(JSON.parse(writeReadableJson(readJson(text)))).toEqual(JSON.parse(text));
    expect(writeReadableJson(readJson(text)).replaceAll(/\n *|(?<=":) /g, "")).toBe(text);
  });

  test.each(['{"1":1,"2":2,"a":3}', '{"a":"1","b":"2:"}', '{"a1":1,"b2":2}'])(
    "of %s are in their places anyway",
    (text) => {
      const value = readJson(text) as object;
      expect(value).not.toHaveProperty("toJSON");
      expect(JSON.stringify(value)).toBe(text);
    },
  );

  test("are members like any others", () => {
    const value = readJson('{"foo":1,"1":2}') as Record<string, unknown>;
    expect(value).toEqual({ foo: 1, "1": 2 });
    expect([value["1"], Object.keys(value), { ...value }]).toEqual([2, ["1", "foo"], value]);
    expect(JSON.stringify(value)).toBe('{"1":2,"foo":1}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    delete value["foo"];
    value["0"] = 3;
    expect(namesInOrder(value)).toEqual(["1", "0"]);
    expect(writeJson(value)).toBe('{"1":2,"0":3}');
  });

  test("keep their places in copies and where objects are merged", () => {
    const one = readJson('{"b":1,"1":2,"a":3}') as Record<string, number>;
    expect(writeJson(mapMembers(one, (member, name) => (name === "a" ? undefined : -member)))).toBe(
      '{"b":-1,"1":-2}',
    );
    const other = { z: 0, b: 5 };
    expect(writeJson(mergeMembers(one, other))).toBe('{"b":5,"1":2,"a":3,"z":0}');
    expect(writeJson(mergeMembers(other, { "1": 1 }))).toBe('{"z":0,"b":5,"1":1}');
    expect(mergeMembers(other, { c: 1 })).toEqual({ z: 0, b: 5, c: 1 });
  });

  test("named as what writes JSON are written in the order of JavaScript", () => {
    expect(writeJson(readJson('{"toJSON":"x","1":2}'))).toBe('{"1":2,"toJSON":"x"}');
  });
});
