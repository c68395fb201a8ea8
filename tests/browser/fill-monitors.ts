// Monitors, incidents, maintenance and a status page to look at, made through the API.

export const ACCOUNT = { username: "admin", password: "a password for tests" };
export const UPTIME_ENV = {
  UPTIME_USERNAME: ACCOUNT.username,
  UPTIME_PASSWORD: ACCOUNT.password,
  UPTIME_MIN_INTERVAL: "1s",
};

interface Made {
  readonly id: string;
  readonly name: string;
}

export interface FilledMonitors {
  readonly monitors: readonly Made[];
  readonly page: { readonly id: string; readonly slug: string };
}

/** Asks the uptime API with the credentials of the account. */
export async function callUptime(origin: string, path: string, body?: unknown): Promise<unknown> {
  const basic = Buffer.from(`${ACCOUNT.username}:${ACCOUNT.password}`).toString("base64");
  const response = await fetch(`${origin}/uptime/api${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Basic ${basic}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** `target` answers 200 to whoever asks. */
export async function fillMonitors(origin: string, target: string): Promise<FilledMonitors> {
  const add = async (monitor: Readonly<Record<string, unknown>>): Promise<Made> => {
    const made = (await callUptime(origin, "/monitors", monitor)) as Made;
    await callUptime(origin, `/monitors/${made.id}/check`, {});
    return made;
  };
  const shop = await add({ name: "Web shop", url: target, tags: ["web", "prod"] });
  const mail = await add({
    name: "Mail relay",
    url: "http://127.0.0.1:1/",
    tags: ["prod"],
    pipeline: [{ type: "http", retries: 0, headers: { "x-api-key": "sealed" } }],
  });
  const slow = await add({
    name: "Search",
    url: target,
    pipeline: [{ type: "http", degraded_after_ms: 1, contains: "ok" }],
  });
  const instance = await add({
    name: "Clinic",
    url: target,
    enabled: false,
    pipeline: [{ type: "instance", username: "probe", password: "sealed" }],
  });
  await callUptime(origin, "/maintenance", {
    name: "Weekly patching",
    tags: ["web"],
    schedule: "0 3 * * SUN",
    duration: 3600,
  });
  const page = (await callUptime(origin, "/status-pages", {
    slug: "shop",
    title: "Shop status",
    published: true,
    groups: [{ name: "Shop", monitors: [{ id: shop.id }] }],
  })) as FilledMonitors["page"];
  await callUptime(origin, `/status-pages/${page.id}/reports`, {
    title: "Search is slow",
    text: "We are looking into it.",
    impact: "degraded",
  });
  return { monitors: [shop, mail, slow, instance], page };
}
