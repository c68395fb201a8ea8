// How what two runs went through is put beside each other.

/** One of each, where they belong together. */
export type RunPair<One> = readonly [One | undefined, One | undefined];

/** Two histories in their own order, with gaps where one of them has what the other has not. */
export function aligned<One>(
  a: readonly One[],
  b: readonly One[],
  isSame: (one: One, other: One) => boolean,
): RunPair<One>[] {
  // How many belong together from here to both ends.
  const common = a.map(() => b.map(() => 0));
  const from = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (const [i, one] of [...a.entries()].reverse())
    for (const [j, other] of [...b.entries()].reverse()) {
      const row = common[i];
      if (row === undefined) continue;
      row[j] = isSame(one, other)
        ? from(i + 1, j + 1) + 1
        : Math.max(from(i + 1, j), from(i, j + 1));
    }
  const pairs: RunPair<One>[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [one, other] = [a[i], b[j]];
    if (one !== undefined && other !== undefined && isSame(one, other)) {
      pairs.push([one, other]);
      i += 1;
      j += 1;
    } else if (other === undefined || (one !== undefined && from(i + 1, j) >= from(i, j + 1))) {
      pairs.push([one, undefined]);
      i += 1;
    } else {
      pairs.push([undefined, other]);
      j += 1;
    }
  }
  return pairs;
}

interface Labelled {
  readonly label: string;
}

/**
 * By their whole names first. What is left by what it is called in every run: clients put a number
 * or some letters of chance behind the name of a task, and a subflow has that of its run behind
 * that of its flow.
 */
export function paired<One extends Labelled>(a: readonly One[], b: readonly One[]): RunPair<One>[] {
  const partners = new Map<One, One>();
  const free = new Set(b);
  for (const keyOf of [({ label }: Labelled) => label, ({ label }: Labelled) => stemOf(label)]) {
    const waiting = grouped(free, keyOf);
    for (const one of a) {
      const partner = partners.has(one) ? undefined : waiting.get(keyOf(one))?.shift();
      if (partner === undefined) continue;
      partners.set(one, partner);
      free.delete(partner);
    }
  }
  return [
    ...a.map((one) => [one, partners.get(one)] as const),
    ...[...free].map((one) => [undefined, one] as const),
  ];
}

function grouped<One>(all: Iterable<One>, keyOf: (one: One) => string): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

const stemOf = (label: string): string =>
  label.replace(/ \/ .*$/, " /").replace(/-(?:\d+|[\da-f]{3})$/, "");
