// A server that is attacked, and what an attacker needs to know of it.
import assert from "node:assert/strict";
import { JSON_HEADERS } from "./fixtures.mjs";

/** Needed in mode accounts. */
const SETTINGS = { ORCHESTRATOR_AUTH_PUBLIC_URL: "http://127.0.0.1:4200" };

/** Refusals would otherwise fill the terminal. */
const QUIET = { ORCHESTRATOR_LOG_LEVEL: "silent" };

export const settingsFor = ({ mode, settings }) => ({
  ...SETTINGS,
  ...QUIET,
  ...settings,
  ORCHESTRATOR_SERVER_AUTH_MODE: mode,
});

export const withKey = ({ headers, ...request }, key) => ({
  ...request,
  headers: key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` },
});

/**
 * `ask` prepares, with the owner's key where there is one; `request` describes what the attack
 * sends with it.
 */
export function placeAt({ url, ownerKey }) {
  const request = (path, body, method = "POST") =>
    withKey(
      { method, path: `/api${path}`, headers: JSON_HEADERS, body: JSON.stringify(body) },
      ownerKey,
    );
  const ask = async (path, body, method) => {
    const { path: address, ...sent } = request(path, body, method);
    const answer = await fetch(`${url}${address}`, sent);
    const text = await answer.text();
    assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
  return {
    ask,
    request,
    async viewerKey() {
      const { account_id } = await ask("/me", undefined, "GET");
      const made = await ask(`/accounts/${account_id}/api_keys`, { name: "v", role: "viewer" });
      return made.key;
    },
  };
}
