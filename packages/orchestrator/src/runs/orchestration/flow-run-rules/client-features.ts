/** From this version on the established client renews the lease of the slot its run holds. */
const RENEWS_FROM = [3, 4, 11] as const;

export function renewsLeases(clientVersion: readonly number[] | null): boolean {
  if (clientVersion === null) return false;
  for (const [index, least] of RENEWS_FROM.entries()) {
    const part = clientVersion[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** The first versions of it see to the limits of deployments on their own. */
export function takesSlotsItself(clientVersion: readonly number[] | null): boolean {
  if (clientVersion === null) return false;
  const [major, minor, patch = 0] = clientVersion;
  return major === 3 && minor === 0 && patch <= 3;
}
