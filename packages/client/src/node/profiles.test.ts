import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dataFolder, profilesPath, readProfiles, writeProfiles } from "./profiles.ts";
import { resolveConfig } from "./resolve-config.ts";

function home() {
  const folder = mkdtempSync(join(tmpdir(), "orchestrator-profiles-"));
  const env = { ORCHESTRATOR_HOME: join(folder, "data") };
  return { env, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

const TEAM = {
  ORCHESTRATOR_API_URL: "https://flows.example.org/api",
  ORCHESTRATOR_API_KEY: "team-key",
};
const PROFILES = { active: "team", profiles: { default: {}, team: TEAM } };

describe("profiles", () => {
  test("say nothing where there is no file", () => {
    using t = home();
    expect(readProfiles(t.env)).toEqual({ active: "default", profiles: { default: {} } });
    expect(readdirSync(join(t.env.ORCHESTRATOR_HOME, ".."))).toEqual([]);
  });

  test("are read as they were written, by their owner only", () => {
    using t = home();
    writeProfiles({ active: "default", profiles: { default: {} } }, t.env);
    writeProfiles(PROFILES, t.env);
    expect(readProfiles(t.env)).toEqual(PROFILES);
    expect(statSync(profilesPath(t.env)).mode & 0o777).toBe(0o600);
    expect(readdirSync(t.env.ORCHESTRATOR_HOME)).toEqual(["profiles.json"]);
  });

  test.each([
    ["{", /profiles\.json is no valid JSON/],
    ["[]", /must be an object with `active` and `profiles`/],
    ['{"active":"a","profiles":{}}', /there is no profile "a"/],
    ['{"active":"a","profiles":{"a":[]}}', /the profile a must be an object of texts/],
    [
      '{"active":"a","profiles":{"a":{"ORCHESTRATOR_API_URL":"here"}}}',
      /ORCHESTRATOR_API_URL of the profile a is no URL/,
    ],
    ['{"active":"a b","profiles":{"a b":{}}}', /the name "a b" must be letters/],
  ])("that hold %s are refused with what is wrong", (text, message) => {
    using t = home();
    writeProfiles(PROFILES, t.env);
    writeFileSync(profilesPath(t.env), text);
    expect(() => readProfiles(t.env)).toThrow(message);
  });

  test("are not stored with a setting that nobody knows, and stay as they were", () => {
    using t = home();
    writeProfiles(PROFILES, t.env);
    const misspelled = { active: "a", profiles: { a: { ORCHESTRATOR_API_ULR: "x" } } };
    expect(() => writeProfiles(misspelled as never, t.env)).toThrow("ORCHESTRATOR_API_ULR");
    expect(readProfiles(t.env)).toEqual(PROFILES);
  });

  test("with settings of a later version are read", () => {
    using t = home();
    writeProfiles(PROFILES, t.env);
    const later = { active: "a", profiles: { a: { ORCHESTRATOR_LATER: "x" } } };
    writeFileSync(profilesPath(t.env), JSON.stringify(later));
    expect(readProfiles(t.env)).toEqual(later);
  });

  test("are in the home folder where nothing else is said", () => {
    expect(dataFolder({ HOME: "/home/ada" })).toBe("/home/ada/.orchestrator");
    expect(dataFolder({ HOME: "/home/ada", ORCHESTRATOR_HOME: "~/flows" })).toBe("/home/ada/flows");
  });
});

describe("what holds for a client", () => {
  test("is a server on this machine where nothing is said", () => {
    using t = home();
    expect(resolveConfig({ env: t.env })).toEqual({
      profile: "default",
      settings: {
        ORCHESTRATOR_API_URL: { value: "http://127.0.0.1:4200/api", source: "default" },
        UPTIME_API_URL: { value: "http://127.0.0.1:4200/uptime/api", source: "default" },
      },
    });
  });

  test("is what the profile in use says", () => {
    using t = home();
    writeProfiles(PROFILES, t.env);
    expect(resolveConfig({ env: t.env }).settings).toEqual({
      ORCHESTRATOR_API_URL: { value: TEAM.ORCHESTRATOR_API_URL, source: "profile" },
      ORCHESTRATOR_API_KEY: { value: "team-key", source: "profile" },
      UPTIME_API_URL: { value: "https://flows.example.org/uptime/api", source: "profile" },
    });
  });

  test("is what the environment says first, and then the profile's key is kept back", () => {
    using t = home();
    writeProfiles(PROFILES, t.env);
    const url = "https://other.example.org/api/accounts/1/workspaces/2";
    const { settings } = resolveConfig({ env: { ...t.env, ORCHESTRATOR_API_URL: url } });
    expect(settings).toEqual({
      ORCHESTRATOR_API_URL: { value: url, source: "env" },
      UPTIME_API_URL: {
        value: "https://other.example.org/uptime/api/accounts/1/workspaces/2",
        source: "env",
      },
    });
  });

  test("is not the uptime service of the profile where the environment names another server", () => {
    const settings = {
      ORCHESTRATOR_API_URL: "https://flows.example.org/api",
      UPTIME_API_URL: "https://uptime.example.org/api",
      UPTIME_PASSWORD: "theirs",
    };
    using t = home();
    writeProfiles({ active: "work", profiles: { work: settings } }, t.env);
    const url = "http://127.0.0.1:1/api";
    const other = resolveConfig({ env: { ...t.env, ORCHESTRATOR_API_URL: url } });
    expect(other.settings["UPTIME_API_URL"].value).toBe("http://127.0.0.1:1/uptime/api");
    expect(other.settings["UPTIME_PASSWORD"]).toBeUndefined();
  });

  test("takes a key of the environment to the server of the profile", () => {
    using t = home();
    writeProfiles(PROFILES, t.env);
    const { settings } = resolveConfig({ env: { ...t.env, ORCHESTRATOR_API_KEY: "mine" } });
    expect(settings.ORCHESTRATOR_API_KEY).toEqual({ value: "mine", source: "env" });
    expect(settings.ORCHESTRATOR_API_URL.source).toBe("profile");
  });

  test("can be asked of another profile, which must be there", () => {
    using t = home();
    writeProfiles(PROFILES, t.env);
    expect(resolveConfig({ env: t.env, profile: "default" }).profile).toBe("default");
    const env = { ...t.env, ORCHESTRATOR_PROFILE: "default" };
    expect(resolveConfig({ env }).profile).toBe("default");
    expect(() => resolveConfig({ env: t.env, profile: "none" })).toThrow(
      'There is no profile "none", only default, team',
    );
  });

  test("is refused when the environment says nonsense", () => {
    using t = home();
    expect(() => resolveConfig({ env: { ...t.env, ORCHESTRATOR_API_URL: "ftp://x" } })).toThrow(
      "ORCHESTRATOR_API_URL must begin with http:// or https://",
    );
  });
});
