import { Model } from "@orchestrator/contract";
import { MASK } from "@orchestrator/kernel/pure";
import { type TProperties, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { defineCheck } from "./check.ts";
import { outcomeOf } from "./outcome.ts";
import { secretMasker } from "./secret-masker.ts";
import { secretsIn } from "./secrets.ts";

const Secret = Type.Unsafe<string>({ type: "string", secret: true });

const define = <Options extends TProperties>(options: Options) =>
  defineCheck(Model({ type: Type.Literal("pigeon"), ...options }), {
    title: "Pigeon",
    about: "Sends a pigeon and waits",
    icon: "link",
    defaults: {},
    fields: [],
    attempt: async () => outcomeOf([{ status: "up", text: "came back" }], {}),
  });

describe("an option that a type of check calls secret", () => {
  const pigeon = define({
    ring: Type.Optional(Secret),
    loft: Type.Optional(Model({ user: Type.Optional(Type.String()), key: Type.Optional(Secret) })),
  });

  test("is sealed and hidden without the type doing anything for it, also within another", () => {
    const check = {
      type: "pigeon",
      ring: "s3cret-one",
      loft: { user: "me", key: "s3cret-two" },
    } as const;
    const places: string[] = [];
    const masked = pigeon.mapSecrets(check, (secret, place) => {
      places.push(`${place}=${secret}`);
      return MASK;
    });
    expect(masked).toEqual({ type: "pigeon", ring: MASK, loft: { user: "me", key: MASK } });
    expect(places).toEqual(["ring=s3cret-one", "loft/key=s3cret-two"]);
    const hide = secretMasker(secretsIn(pigeon, check));
    expect(hide("no: s3cret-one, s3cret-two")).toBe(`no: ${MASK}, ${MASK}`);
  });

  test("need not be given", () => {
    for (const check of [{ type: "pigeon" }, { type: "pigeon", ring: "", loft: {} }] as const) {
      expect(pigeon.mapSecrets(check, () => MASK)).toEqual(check);
      expect(secretsIn(pigeon, check)).toEqual([]);
    }
  });

  test.each([
    ["among the items of a list", Type.Array(Model({ key: Secret }))],
    ["in one of several forms", Type.Union([Type.Boolean(), Secret])],
    ["without being a text", Type.Integer({ secret: true })],
  ])("is refused %s, where it would be neither sealed nor hidden", (_where, option) => {
    expect(() => define({ option })).toThrow("A secret option is a text");
  });
});
