// Random streams of events, sent twice and in the wrong order, read in pieces by readers that come
// and go, against a plain reading of the rules.

import { followLog } from "@orchestrator/kernel/events";
import { manualClock, rounds } from "@orchestrator/kernel/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TestApi } from "../../testing/test-api.ts";
import { describeEachApi } from "../../testing.ts";
import { createTriggerPass } from "./triggers/triggers.loop.ts";

const BASE = Date.parse("2026-11-14T09:00:00Z");
const FOREVER = new AbortController().signal;
const NAMES = ["x.a", "x.b", "x.c"];

interface Leaf {
  readonly posture: "Reactive" | "Proactive";
  readonly after: readonly string[];
  readonly expect: readonly string[];
  readonly for_each: readonly string[];
  readonly threshold: number;
  readonly within: number;
}

interface Composite {
  readonly type: "compound" | "sequence";
  readonly triggers: readonly Leaf[];
  readonly within: number | null;
  readonly require?: number | "any" | "all";
}

interface Happening {
  readonly id: string;
  readonly name: string;
  readonly thing: string;
  /** How long before it arrives; less than nothing where the sender's clock is ahead. */
  readonly lag: number;
}

interface Step {
  /** How much time goes by before the events are sent. */
  readonly pause: number;
  readonly events: readonly Happening[];
  /** Events of before that are sent again. */
  readonly repeats: readonly number[];
  readonly readers: number;
}

const leaves = (for_each: fc.Arbitrary<string[]>): fc.Arbitrary<Leaf> =>
  fc.oneof(
    fc.record({
      posture: fc.constant("Reactive" as const),
      after: fc.subarray(NAMES, { maxLength: 1 }),
      expect: fc.subarray(NAMES, { minLength: 1, maxLength: 2 }),
      for_each,
      threshold: fc.integer({ min: 1, max: 3 }),
      within: fc.constantFrom(0, 3, 20),
    }),
    fc.record({
      posture: fc.constant("Proactive" as const),
      after: fc.subarray(NAMES, { maxLength: 1 }),
      expect: fc.subarray(NAMES, { minLength: 1, maxLength: 2 }),
      for_each,
      threshold: fc.integer({ min: 1, max: 2 }),
      within: fc.constantFrom(10, 25),
    }),
  );

const composites: fc.Arbitrary<Composite> = fc
  .tuple(
    fc.array(leaves(fc.constant([])), { minLength: 2, maxLength: 3 }),
    fc.constantFrom(null, 5, 30),
    fc.constantFrom("sequence" as const, "any" as const, "all" as const, 2),
  )
  .map(([triggers, within, kind]) =>
    kind === "sequence"
      ? { type: "sequence", triggers, within }
      : { type: "compound", triggers, within, require: kind },
  );

const streams = fc.record({
  dialect: fc.constantFrom("orchestrator" as const, "prefect" as const),
  triggers: fc.array(fc.oneof(leaves(fc.constantFrom([], ["thing"])), composites), {
    minLength: 6,
    maxLength: 8,
  }),
  steps: fc.array(
    fc.record({
      pause: fc.constantFrom(0, 1, 4, 12, 70),
      events: fc.array(
        fc.record({
          id: fc.uuid(),
          name: fc.constantFrom(...NAMES),
          thing: fc.constantFrom("1", "2"),
          lag: fc.oneof(
            { weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }) },
            fc.integer({ min: -5, max: 30 }),
          ),
        }),
        { maxLength: 6 },
      ),
      repeats: fc.array(fc.nat(40), { maxLength: 3 }),
      readers: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 10, maxLength: 14 },
  ),
});

/** An event as triggers see it; `at` is when it happened, but not after it has arrived. */
interface Arrived extends Happening {
  readonly at: number;
}

interface Window {
  from: number;
  to: number;
  count: number;
  last: Arrived | null;
}

/**
 * One event trigger, by the letter of the rules. Times are seconds. What it answers is what it
 * fires for.
 */
class PlainLeaf {
  readonly #windows = new Map<string, Window>();
  /** What was expected after something else, and may have come before it. */
  readonly #held: Arrived[] = [];
  readonly #trigger: Leaf;
  /** Whether there is always a window, or will be one at the next look. */
  readonly #isWatched: boolean;
  /** When it is looked at though there is no window. */
  #nextLook = Infinity;

  constructor(trigger: Leaf, dialect: "orchestrator" | "prefect") {
    this.#trigger = trigger;
    const { posture, after, for_each } = trigger;
    const isAsked = after.length > 0 && dialect === "orchestrator";
    this.#isWatched = posture === "Proactive" && for_each.length === 0 && !isAsked;
    if (this.#isWatched) this.#windows.set("", this.#window(0, null, ""));
  }

  event(event: Arrived): (string | null)[] {
    const { posture, after, expect: expected, for_each, within, threshold } = this.#trigger;
    const { at, id, name } = event;
    const isProactive = posture === "Proactive";
    const isExpected = expected.includes(name);
    const isStart = after.includes(name);
    if (!isExpected && !isStart) return [];
    const key = for_each.length > 0 ? event.thing : "";
    const fired: (string | null)[] = [];
    let window = this.#windows.get(key);
    if (isProactive && window !== undefined && at >= window.to) {
      const judged = this.#judge(window, at, key);
      fired.push(...judged.fired);
      window = judged.next;
    } else if (window === undefined && at >= this.#nextLook) {
      window = this.#window(at, null, key);
    }
    if (isProactive && isExpected && !isStart) this.#held.push(event);
    if (after.length === 0) {
      window ??= { ...this.#window(at, null, key), from: at - 900 };
      if (!isProactive && within > 0 && at >= window.to) window = this.#window(at, null, key);
    } else if (isStart && (window === undefined || at >= window.to)) {
      window = this.#window(at, event, key);
      if (isExpected) window.count -= 1;
    }
    this.#windows.delete(key);
    if (window === undefined) return fired;
    this.#nextLook = Infinity;
    const isCounted = isExpected && at >= window.from;
    if (isProactive) {
      const { last } = window;
      if (isCounted) {
        window.last = event;
        window.count += 1;
      }
      const isPutOff = isCounted && isStart && window.count >= threshold;
      const isLater = last !== null && last.at >= at && !after.includes(last.name);
      const next = isPutOff ? this.#window(at, isLater ? last : event, key) : window;
      this.#windows.set(key, next);
      return fired;
    }
    // With `after` a window that has passed is over; without, it was begun anew above.
    if (isCounted && within > 0 && at >= window.to) return fired;
    if (isCounted) window.count += 1;
    if (isCounted && window.count >= threshold) {
      fired.push(id);
      if (after.length > 0 || within === 0) return fired;
      window = this.#window(window.to, null, key);
    }
    this.#windows.set(key, window);
    return fired;
  }

  /** When its windows are to be looked at, and their keys. */
  due(now: number): { readonly due: number; readonly key: string }[] {
    const kept = this.#trigger.posture === "Proactive" ? 0 : 60;
    return [...this.#windows]
      .map(([key, { to }]) => ({ due: to + kept, key }))
      .concat({ due: this.#nextLook, key: "" })
      .filter(({ due }) => due <= now);
  }

  look(key: string, now: number): (string | null)[] {
    const window = this.#windows.get(key);
    if (window === undefined) {
      this.#nextLook = Infinity;
      this.#windows.set(key, this.#window(now, null, key));
      return [];
    }
    const { next, fired } = this.#judge(window, now, key);
    this.#windows.delete(key);
    if (this.#trigger.posture === "Reactive") return [];
    if (next !== undefined) this.#windows.set(key, next);
    return fired;
  }

  #judge(
    window: Window,
    now: number,
    key: string,
  ): { next: Window | undefined; fired: (string | null)[] } {
    const { after, for_each, threshold } = this.#trigger;
    const isMet = window.count >= threshold;
    const isOver = after.length > 0 || (isMet && for_each.length > 0);
    const next = isOver ? undefined : this.#window(Math.max(window.to, now), window.last, key);
    if (isOver && this.#isWatched) this.#nextLook = now + this.#trigger.within;
    return { next, fired: isMet ? [] : [window.last?.id ?? null] };
  }

  /** With `after`, what came before its time counts already. */
  #window(from: number, last: Arrived | null, key: string): Window {
    const { after, for_each, within } = this.#trigger;
    const to = from + within;
    const isIn = ({ at, thing }: Arrived): boolean =>
      at >= from && at < to && (for_each.length === 0 || thing === key);
    return { from, to, count: after.length > 0 ? this.#held.filter(isIn).length : 0, last };
  }
}

/** What the firings of triggers within amount to. */
class PlainComposite {
  readonly #trigger: Composite;
  #children: { child: number; at: number; place: number; event: string | null }[] = [];

  constructor(trigger: Composite) {
    this.#trigger = trigger;
  }

  fires(one: { child: number; at: number; place: number; event: string | null }): boolean {
    const { type, triggers, within, require = "all" } = this.#trigger;
    const oldest = within === null ? -Infinity : one.at - within;
    this.#children = this.#children
      .filter(({ child, at }) => child !== one.child && at >= oldest)
      .concat(one)
      .sort((a, b) => a.at - b.at || a.place - b.place);
    const needed = require === "any" ? 1 : require === "all" ? triggers.length : require;
    const isComplete = this.#children.length >= needed;
    const isInOrder = this.#children.every(({ child }, index) => child === index);
    return isComplete && (type === "compound" || isInOrder);
  }

  /** The event of the last one; what was remembered is forgotten. */
  take(): string | null {
    const last = this.#children.at(-1)?.event ?? null;
    this.#children = [];
    return last;
  }
}

/** When the whole trigger fires and for which event. */
function firings(
  trigger: Leaf | Composite,
  { steps, dialect }: { steps: readonly Step[]; dialect: "orchestrator" | "prefect" },
): string[] {
  const within = "triggers" in trigger ? trigger.triggers : [trigger];
  const parts = within.map((leaf) => new PlainLeaf(leaf, dialect));
  const whole = "triggers" in trigger ? new PlainComposite(trigger) : null;
  const fired: string[] = [];
  const tell = (child: number, event: string | null, when: { at: number; place: number }): void => {
    if (whole === null) fired.push(`${when.at} ${event}`);
    else if (whole.fires({ child, event, ...when })) fired.push(`${when.at} ${whole.take()}`);
  };
  let now = 0;
  let place = 0;
  for (const { pause, events } of steps) {
    now += pause;
    for (const event of events) {
      place += 1;
      const arrived = { ...event, at: Math.min(now, now - event.lag) };
      for (const [child, part] of parts.entries())
        for (const about of part.event(arrived)) tell(child, about, { at: now, place });
    }
    const looks = parts.flatMap((part, child) => part.due(now).map((due) => ({ ...due, child })));
    for (const { child, key } of looks.sort((a, b) => a.due - b.due || a.child - b.child))
      for (const about of parts[child]?.look(key, now) ?? [])
        tell(child, about, { at: now, place: 0 });
  }
  return fired.sort();
}

/** By automation when it has fired and for which event. */
async function told(api: TestApi): Promise<Map<string, string[]>> {
  const fired = new Map<string, string[]>();
  const follower = followLog(api.ctx.db);
  for (let after = 0; ; ) {
    const events = await follower.next(after, 1000);
    const last = events.at(-1);
    if (last === undefined) return fired;
    after = last.position;
    for (const { event, body } of events) {
      if (!event.endsWith(".automation.triggered")) continue;
      const { resource, payload, occurred } = JSON.parse(body) as {
        readonly resource: Readonly<Record<string, string>>;
        readonly occurred: string;
        readonly payload: { readonly triggering_event: { readonly id: string } | null };
      };
      const { prefix } = api.ctx.dialect;
      const name = resource[`${prefix}.resource.name`] ?? "";
      const at = (Date.parse(occurred) - BASE) / 1000;
      const about = `${at} ${payload.triggering_event?.id ?? null}`;
      fired.set(name, [...(fired.get(name) ?? []), about].sort());
    }
  }
}

describeEachApi("triggers", (open) => {
  test("fire exactly as the rules say, whatever the stream and whoever reads it", async () => {
    let total = 0;
    await fc.assert(
      fc.asyncProperty(streams, async ({ triggers: given, steps, dialect }) => {
        const clock = manualClock(new Date(BASE).toISOString());
        await using api = await open({ clock, dialect });
        const replica = (await api.openReplica?.()) ?? null;
        for (const [index, trigger] of given.entries()) {
          const answer = await api.post("/automations/", {
            name: `${index}`,
            trigger,
            actions: [],
          });
          expect(answer.status).toBe(201);
        }
        const contexts = [api.ctx, ...(replica === null ? [] : [{ ...api.ctx, db: replica }])];
        const lasting = contexts.map((ctx) => createTriggerPass(ctx));
        const sent: object[] = [];
        for (const [number, { pause, events, repeats, readers }] of steps.entries()) {
          clock.advanceMs(pause * 1000);
          const now = BASE + (Date.parse(clock.now()) - BASE);
          const batch = events.map(({ id, name, thing, lag }) => ({
            id,
            event: name,
            occurred: new Date(now - lag * 1000).toISOString(),
            resource: { "prefect.resource.id": `thing.${thing}`, thing },
          }));
          const again = repeats.flatMap((index) => sent[index] ?? []);
          sent.push(...batch);
          if (batch.length + again.length > 0)
            await api.post("/events", JSON.stringify([...batch, ...again]));
          // Some readers last, others begin anew each time, on one replica or the other.
          const passes = Array.from({ length: readers }, (_, index) => {
            const place = (number + index) % contexts.length;
            const fresh = createTriggerPass(contexts[place] ?? api.ctx);
            return index === 0 ? (lasting[place] ?? fresh) : fresh;
          });
          await Promise.all(passes.map((pass) => pass(FOREVER)));
          // One that came upon the others' writing may have left something for the next.
          await lasting[number % lasting.length]?.(FOREVER);
        }
        const fired = await told(api);
        for (const [index, trigger] of given.entries()) {
          const expected = firings(trigger, { steps, dialect });
          total += expected.length;
          expect(fired.get(`${index}`) ?? [], JSON.stringify(trigger)).toEqual(expected);
        }
      }),
      {
        numRuns: Number(process.env["MODEL_RUNS"] ?? rounds(2, 4)),
        seed: Number(process.env["MODEL_SEED"] ?? 5),
      },
    );
    expect(total).toBeGreaterThan(rounds(0, 20));
  });
});
