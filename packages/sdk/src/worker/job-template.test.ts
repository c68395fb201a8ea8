import { describe, expect, test } from "vitest";
import {
  fillReferences,
  fillVariables,
  mergeVariables,
  referencesIn,
  remainingDefaults,
} from "./job-template.ts";

const template = {
  job_configuration: {
    command: "{{ command }}",
    env: "{{ env }}",
    name: "job-{{ name }}",
    nested: { list: ["{{ command }}", "{{ missing }}", "as it is"] },
  },
  variables: {
    type: "object",
    properties: {
      command: { type: "string" },
      env: { type: "object", default: { A: "template", B: "template" } },
      name: { type: "string", default: "x" },
      missing: { type: "string" },
    },
  },
};

describe("variables", () => {
  test("of the run win over those of the deployment, those over defaults; the environment is joined name by name", () => {
    const merged = mergeVariables(template, [
      { command: "from the deployment", env: { B: "deployment", C: "deployment" } },
      { command: "from the run", env: { C: "run" } },
      null,
    ]);
    expect(merged).toEqual({
      command: "from the run",
      env: { A: "template", B: "deployment", C: "run" },
      name: "x",
    });
  });

  test("of which nobody says anything are left to their defaults", () => {
    const layers = [null, { env: { C: "run" }, command: "x" }];
    expect(remainingDefaults(template, layers)).toEqual({ name: "x" });
    expect(remainingDefaults(template, [{ name: null }])).not.toHaveProperty("name");
  });

  test("that stand alone keep their type, within a text become text, and without a value take their field with them", () => {
    const variables = { env: { A: "1" }, name: 7 };
    expect(fillVariables(template, variables)).toEqual({
      env: { A: "1" },
      name: "job-7",
      nested: { list: ["as it is"] },
    });
  });

  test("that are required and have no value are named", () => {
    const strict = { ...template, variables: { ...template.variables, required: ["command"] } };
    expect(() => fillVariables(strict, {})).toThrow("variables that have no value: command");
  });
});

test("references are found wherever they stand and filled with what they stand for", () => {
  const configuration = fillVariables(template, {
    command: "run --token {{ orchestrator.blocks.secret.token }} --in {{ $REGION }}",
    env: { LIMITS: "{{ prefect.variables.limits }}" },
  });
  expect(referencesIn(configuration)).toEqual(
    new Set(["orchestrator.blocks.secret.token", "$REGION", "prefect.variables.limits"]),
  );
  const values = new Map<string, never>([
    ["orchestrator.blocks.secret.token", "s3cret" as never],
    ["$REGION", "eu" as never],
    ["prefect.variables.limits", { cpu: 2 } as never],
  ]);
  expect(fillReferences(configuration, values)).toMatchObject({
    command: "run --token s3cret --in eu",
    env: { LIMITS: { cpu: 2 } },
  });
});
