import { createHmac, randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Clock } from "../clock/clock.ts";
import { AppError } from "../errors/app-error.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;

/**
 * Tries that cost nothing but their own time: for one user from one address, and for all users from
 * it.
 */
const FREE_FOR_USER = 5;
const FREE_FOR_ADDRESS = 50;
const LONGEST_WAIT = 15 * MINUTE;
/** How long failures are remembered after the last of them. */
const MEMORY = 60 * MINUTE;
const MAX_REMEMBERED = 10_000;
/** So much of a name is remembered: whoever guesses may send very long ones. */
const MAX_NAME = 255;

/** How long credentials that were right need not be worked out again. */
const VERIFIED_FOR = MINUTE;
const MAX_VERIFIED = 1000;

/** Every try keeps a thread and some memory busy; more than this many cannot wait for one. */
const MAX_WAITING = 64;

interface Failures {
  readonly count: number;
  readonly last: number;
  /** Tries before this moment are refused. */
  readonly until: number;
}

export interface LoginAttempt {
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** The hash that the password is held against. */
  readonly hash: string;
}

/**
 * Keeps guessing slow and knowing fast. Failures count by address and user and, more generously, by
 * address, so that nobody can shut others out from elsewhere. Credentials that were right a moment
 * ago are recognised by a keyed hash of them and of what they were held against, and pass whatever
 * others do.
 */
export class LoginGuard {
  readonly #clock: Clock;
  readonly #key = randomBytes(32);
  readonly #failures = new Map<string, Failures>();
  readonly #verified = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<boolean>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the password is right; throws when it may not be tried yet. */
  async verify(attempt: LoginAttempt, isRight: () => Promise<boolean>): Promise<boolean> {
    const name = this.#nameOf(attempt);
    if ((this.#verified.get(name) ?? 0) > this.#clock.nowMicros()) return true;
    // Scripts begin with several requests at once; the same credentials are worked out once for all
    // of them.
    const underWay = this.#underWay.get(name);
    if (underWay !== undefined) return underWay;
    const places = placesOf(attempt);
    this.#refuseTooSoon(places);
    if (this.#underWay.size >= MAX_WAITING)
      throw new AppError("unavailable", "Too many logins at once", { retryAfterSeconds: 1 });
    // Counted before it is known to be wrong, so that tries side by side count, too.
    for (const place of places) this.#count(place);
    const trying = this.#try(name, places, isRight);
    this.#underWay.set(name, trying);
    return trying;
  }

  async #try(
    name: string,
    places: readonly Place[],
    isRight: () => Promise<boolean>,
  ): Promise<boolean> {
    try {
      const isVerified = await isRight();
      if (isVerified) {
        for (const place of places) this.#forgive(place);
        remember(
          this.#verified,
          { key: name, max: MAX_VERIFIED },
          this.#clock.nowMicros() + VERIFIED_FOR,
        );
      }
      return isVerified;
    } finally {
      this.#underWay.delete(name);
    }
  }

  #nameOf({ username, password, hash }: LoginAttempt): string {
    const text = JSON.stringify([username, password, hash]);
    return createHmac("sha256", this.#key).update(text).digest("base64");
  }

  #refuseTooSoon(places: readonly Place[]): void {
    const now = this.#clock.nowMicros();
    const until = Math.max(...places.map(({ key }) => this.#failures.get(key)?.until ?? 0));
    if (until <= now) return;
    throw new AppError("too_many_requests", "Too many failed logins, try again later", {
      retryAfterSeconds: Math.ceil((until - now) / SECOND),
    });
  }

  #count({ key, free }: Place): void {
    const now = this.#clock.nowMicros();
    const known = this.#failures.get(key);
    const isForgotten = known === undefined || Math.max(known.last + MEMORY, known.until) <= now;
    const count = isForgotten ? 1 : known.count + 1;
    const wait =
      count < free ? 0 : Math.min(2 ** Math.min(count - free, 20) * SECOND, LONGEST_WAIT);
    remember(this.#failures, { key, max: MAX_REMEMBERED }, { count, last: now, until: now + wait });
  }

  /**
   * Whoever knows the password has not been guessing it; what else was tried from the address
   * stays.
   */
  #forgive({ key, isForgiven }: Place): void {
    const known = this.#failures.get(key);
    if (known === undefined) return;
    if (isForgiven || known.count <= 1) this.#failures.delete(key);
    else this.#failures.set(key, { ...known, count: known.count - 1, until: 0 });
  }
}

interface Place {
  readonly key: string;
  readonly free: number;
  readonly isForgiven: boolean;
}

function placesOf({ address, username }: LoginAttempt): readonly Place[] {
  const network = networkOf(address);
  return [
    {
      key: JSON.stringify([network, username.slice(0, MAX_NAME)]),
      free: FREE_FOR_USER,
      isForgiven: true,
    },
    { key: network, free: FREE_FOR_ADDRESS, isForgiven: false },
  ];
}

/** One caller may have all addresses of an IPv6 network of 64 bits. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address.replace(/^.*:/, "");
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  while (groups.length + rest.length < 8) groups.push("0");
  return [...groups, ...rest].slice(0, 4).join(":");
}

/** The entry goes to the end; the oldest one makes room. */
function remember<Value>(
  entries: Map<string, Value>,
  { key, max }: { readonly key: string; readonly max: number },
  value: Value,
): void {
  entries.delete(key);
  const oldest = entries.keys().next();
  if (entries.size >= max && oldest.done !== true) entries.delete(oldest.value);
  entries.set(key, value);
}
