// HTTP apps that serve one test after another: building one takes longer than most tests do.

/** What an app is built for: `current` is always the test that has the app now. */
export type BuildApp<App, Given> = (current: () => Given) => Promise<App>;

export interface BorrowedApp<App> {
  readonly app: App;
  /** To be called when nothing of the test is under way in the app any more. */
  readonly giveBack: () => void;
}

interface Shared<App, Given> {
  readonly app: App;
  readonly holder: { given: Given };
}

/** Apps that differ have different keys. One that is not given back is not lent again. */
export class SharedApps<App, Given> {
  readonly #idle = new Map<string, Shared<App, Given>[]>();

  async borrow(key: string, given: Given, build: BuildApp<App, Given>): Promise<BorrowedApp<App>> {
    const idle = this.#idle.get(key) ?? [];
    this.#idle.set(key, idle);
    const shared = idle.pop() ?? (await newlyBuilt(given, build));
    shared.holder.given = given;
    return { app: shared.app, giveBack: () => void idle.push(shared) };
  }
}

async function newlyBuilt<App, Given>(
  given: Given,
  build: BuildApp<App, Given>,
): Promise<Shared<App, Given>> {
  const holder = { given };
  return { app: await build(() => holder.given), holder };
}

/** An object that has the properties of whatever is current when it is asked. */
export function proxyOfCurrent<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(current(), name),
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
  });
}
