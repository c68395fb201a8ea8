// What a run has to tell the server, in order, until the server has it.
//
// They wait in memory, and beyond a size in a file; one batch at a time is under way, and goes
// again unchanged until it is acknowledged. So what is told twice is told in the same words under
// the same ids, and the server keeps it once. A server that is away delays deliveries and stops
// nothing. What is still there when the process ends is left in the file, for the next process to
// deliver.

import { type Alarm, nextTurn, runAfter, sleepOrAbort } from "../time.ts";
import { nextDelayMs } from "./back-off.ts";
import type { Spill } from "./spill.ts";

export interface OutboxOptions<Item> {
  /** Delivers a batch; throws if it is not certain that the server has it. */
  readonly send: (batch: Item[]) => Promise<void>;
  /** About how many bytes it is. */
  readonly sizeOf: (item: Item) => number;
  /** Whether sending the same again may help; otherwise something in the batch is at fault. */
  readonly isWorthRetrying: (error: unknown) => boolean;
  readonly spill: Spill;
  /** How long an item may wait for others to travel with. */
  readonly lingerMs: number;
  /** Told once about an item that the server refuses for good. */
  readonly onRefused: (item: Item, error: unknown) => void;
  readonly maxMemoryBytes?: number;
}

/** What became of an item that its sender waits for. */
export type Delivery =
  | { readonly kind: "stored" }
  /** The server does not answer now: the item stays here until it does. */
  | { readonly kind: "away" }
  | { readonly kind: "refused"; readonly error: unknown };

const STORED: Delivery = { kind: "stored" };
const AWAY: Delivery = { kind: "away" };
/** A server that takes longer counts as away. */
const ANSWER_MS = 3000;

const MAX_BATCH_ITEMS = 1000;
const MAX_BATCH_BYTES = 2_000_000;
const MAX_MEMORY_BYTES = 16_000_000;

export class Outbox<Item extends object> {
  readonly #options: OutboxOptions<Item>;
  #items: Item[] = [];
  #bytes = 0;
  #pumping: Promise<void> | null = null;
  #alarm: Alarm | null = null;
  #isHurried = false;
  #isClosed = false;
  #isAway = false;
  /** Items whose senders wait. */
  readonly #awaited = new Map<Item, (delivery: Delivery) => void>();
  readonly #wakeUp = { call: (): void => {} };

  constructor(options: OutboxOptions<Item>) {
    this.#options = options;
  }

  push(item: Item): void {
    const { spill, sizeOf, maxMemoryBytes = MAX_MEMORY_BYTES } = this.#options;
    const bytes = sizeOf(item);
    // Once the file holds anything, what comes later waits behind it.
    if (!spill.isEmpty() || this.#bytes + bytes > maxMemoryBytes) spill.append(asLines([item]));
    else {
      this.#items.push(item);
      this.#bytes += bytes;
    }
    if (this.#pumping !== null || this.#alarm !== null || this.#isClosed) return;
    this.#alarm = runAfter(this.#options.lingerMs, () => this.#start());
  }

  /** Sends an item without delay, with all that was pushed before; tells what became of it. */
  async deliver(item: Item): Promise<Delivery> {
    this.push(item);
    if (this.#isAway || this.#isClosed || this.#items.at(-1) !== item) return AWAY;
    const delivered = new Promise<Delivery>((resolve) => this.#awaited.set(item, resolve));
    // What ends at the same time travels together.
    await nextTurn();
    this.#start();
    this.#wakeUp.call();
    return delivered;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#options.spill.isEmpty();
  }

  /** Resolves when all that was pushed is delivered, or the time is over; says whether it is. */
  async flush(withinMs: number): Promise<boolean> {
    if (this.isEmpty) return true;
    this.#isHurried = true;
    const isOver = new AbortController();
    const tooLate = sleepOrAbort(withinMs, isOver.signal).catch(() => {});
    while (!this.isEmpty) {
      this.#start();
      const ended = await Promise.race([this.#pumping, tooLate.then(() => "late" as const)]);
      if (ended === "late") break;
    }
    isOver.abort(new Error("delivered"));
    this.#isHurried = false;
    return this.isEmpty;
  }

  /**
   * Leaves what is not delivered to the file. Does not wait for anything, so that a process that
   * ends can call it.
   */
  close(): void {
    this.#isClosed = true;
    this.#giveUpWaiting();
    this.#alarm?.cancel();
    this.#wakeUp.call();
    if (this.#items.length > 0) this.#options.spill.prepend(asLines(this.#items));
    this.#items = [];
    this.#bytes = 0;
    this.#options.spill.close();
  }

  #start(): void {
    this.#alarm?.cancel();
    this.#alarm = null;
    if (this.#isClosed) return;
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = null;
    });
  }

  async #pump(): Promise<void> {
    let failures = 0;
    while (!this.#isClosed && !this.isEmpty) {
      const batch = this.#nextBatch();
      try {
        await this.#send(batch);
        failures = 0;
        this.#drop(batch.length);
      } catch (error) {
        if (this.#options.isWorthRetrying(error)) {
          failures += 1;
          this.#isAway = true;
          this.#giveUpWaiting();
          await this.#pause(nextDelayMs(failures));
        } else await this.#deliverOneByOne(batch, error);
      }
      const isHurried = this.#isHurried || this.#awaited.size > 0;
      if (!isHurried && this.#items.length < MAX_BATCH_ITEMS && !this.isEmpty) {
        await this.#pause(this.#options.lingerMs);
      }
    }
  }

  async #send(batch: Item[]): Promise<void> {
    const late = runAfter(ANSWER_MS, () => this.#giveUpWaiting());
    try {
      await this.#options.send(batch);
      this.#isAway = false;
    } finally {
      late.cancel();
    }
  }

  #giveUpWaiting(): void {
    for (const resolve of this.#awaited.values()) resolve(AWAY);
    this.#awaited.clear();
  }

  #settle(item: Item, delivery: Delivery): void {
    this.#awaited.get(item)?.(delivery);
    this.#awaited.delete(item);
  }

  #nextBatch(): Item[] {
    if (this.#items.length === 0) this.#refill();
    let bytes = 0;
    let count = 0;
    for (const item of this.#items) {
      const size = this.#options.sizeOf(item);
      if (count === MAX_BATCH_ITEMS || (count > 0 && bytes + size > MAX_BATCH_BYTES)) break;
      bytes += size;
      count += 1;
    }
    return this.#items.slice(0, count);
  }

  #refill(): void {
    const lines = this.#options.spill.take(MAX_BATCH_ITEMS, MAX_BATCH_BYTES);
    this.#items = lines.map((line) => JSON.parse(line) as Item);
    this.#bytes = this.#items.reduce((sum, item) => sum + this.#options.sizeOf(item), 0);
  }

  #drop(count: number): void {
    for (const item of this.#items.splice(0, count)) {
      this.#bytes -= this.#options.sizeOf(item);
      this.#settle(item, STORED);
    }
    if (this.#items.length === 0) this.#options.spill.settle();
  }

  /** One item that makes no sense to the server must not keep the others from it. */
  async #deliverOneByOne(batch: readonly Item[], refusal: unknown): Promise<void> {
    const [only] = batch;
    if (only !== undefined && batch.length === 1) {
      this.#refuse(only, refusal);
      this.#drop(1);
      return;
    }
    for (const item of batch) {
      try {
        await this.#send([item]);
      } catch (error) {
        if (this.#options.isWorthRetrying(error)) return;
        this.#refuse(item, error);
      }
      this.#drop(1);
    }
  }

  #refuse(item: Item, error: unknown): void {
    this.#settle(item, { kind: "refused", error });
    this.#options.onRefused(item, error);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const alarm = runAfter(ms, resolve);
      this.#wakeUp.call = () => {
        alarm.cancel();
        resolve();
      };
    });
  }
}

function asLines(items: readonly object[]): string[] {
  return items.map((item) => JSON.stringify(item));
}
