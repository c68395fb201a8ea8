// The attacks: each says what the server needs to hold, and which requests follow. What a server
// may answer besides a refusal is in `answers`; anything else means that the attack is written
// wrongly, or that the server breaks.
import {
  artifact,
  automationsOnAnyEvent,
  eventBatch,
  longLog,
  scheduledDeployment,
  webhookWith,
} from "./fixtures.mjs";
import { DEEP, ENDLESS_RULE, LOOPS, PATTERN, UNIQUE } from "./inputs.mjs";
import { withKey } from "./place.mjs";

/**
 * So many clients of one key, which wait for each answer: three people, or one person with three
 * terminals.
 */
const FEW = 3;
const COMPUTED = ["200", "204", "422"];

/**
 * `inFlight` requests at once, each followed by another as soon as it is answered; `total` of them
 * and no more. `overload`: so many times as many requests a second as two clients that wait for
 * their answers bring about.
 */
const ATTACKS = [
  {
    name: "idle",
    title: "nobody asks anything",
    mode: "accounts",
    answers: [],
    prepare: async () => ({ requests: [], inFlight: 0 }),
  },
  {
    name: "automations",
    title: "60 automations on any event, one event",
    mode: "accounts",
    settings: { ORCHESTRATOR_QUOTA_EVENTS_PER_DAY: "2000" },
    // The quota may be used up by then, as switching an automation on is an event of its own.
    answers: ["204", "403"],
    async prepare(place) {
      const ids = await automationsOnAnyEvent(place, 60);
      const switchOn = (id) => place.request(`/automations/${id}`, { enabled: true }, "PATCH");
      const requests = [...ids.map(switchOn), place.request("/events", eventBatch(1, 10))];
      return { requests, inFlight: 1, total: requests.length };
    },
  },
  asViewer("pattern", "schema with ^(a+)+$, 3 clients", () => ["/ui/schemas/validate", PATTERN]),
  asViewer("unique", "uniqueItems, 60,000 objects", () => ["/ui/schemas/validate", UNIQUE]),
  asViewer("parentheses", "template of 20,000 parentheses", () => ["/templates/validate", DEEP]),
  asViewer("previews", "20 × RRULE and EXRULE, preview", async (place) => [
    `/deployments/${await scheduledDeployment(place)}/schedules/preview`,
    { schedules: Array.from({ length: 20 }, () => ({ schedule: { rrule: ENDLESS_RULE } })) },
  ]),
  ...Object.entries(LOOPS).map(([name, template]) => ({
    name,
    title: `webhook without a key: ${name}`,
    mode: "accounts",
    answers: COMPUTED,
    async prepare(place) {
      return { requests: [await webhookWith(place, { name, template })], inFlight: FEW };
    },
  })),
  {
    name: "small",
    title: "6,000 small requests at once",
    mode: "open",
    answers: ["200", "204"],
    prepare: async ({ request }) => ({
      requests: [request("/events", eventBatch(1, 10)), request("/flow_runs/count", {})],
      inFlight: 6000,
    }),
  },
  {
    name: "events",
    title: "600 × 500 KB of events at once",
    mode: "open",
    answers: ["204"],
    prepare: async ({ request }) => ({
      requests: [request("/events", eventBatch(50, 9_800))],
      inFlight: 600,
    }),
  },
  {
    name: "large",
    title: "2,000 × 1 MB at once",
    mode: "open",
    answers: ["201"],
    prepare: async ({ request }) => ({
      requests: [request("/artifacts/", artifact(1_000_000))],
      inFlight: 2000,
    }),
  },
  {
    name: "lists",
    title: "10 × overload, lists of 1,000 lines, one key",
    mode: "accounts",
    answers: ["200"],
    async prepare(place) {
      await longLog(place, 2000);
      const list = place.request("/ui/logs/newest", { limit: 1000 });
      const requests = [withKey(list, await place.viewerKey())];
      return { requests, inFlight: 1000, overload: 10 };
    },
  },
];

function asViewer(name, title, asked) {
  return {
    name,
    title,
    mode: "accounts",
    answers: COMPUTED,
    async prepare(place) {
      const [path, body] = await asked(place);
      return {
        requests: [withKey(place.request(path, body), await place.viewerKey())],
        inFlight: FEW,
      };
    },
  };
}

export function chooseAttacks(only) {
  const names = ATTACKS.map(({ name }) => name);
  const wanted = only?.split(",") ?? names;
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown === undefined) return ATTACKS.filter(({ name }) => wanted.includes(name));
  throw new RangeError(`--only does not know ${unknown}; it knows ${names.join(", ")}`);
}
