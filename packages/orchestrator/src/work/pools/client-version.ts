/** The version of the established client, from the name it gives: `prefect/3.4.11 (API 0.8.4)`. */
export function clientVersion(userAgent: string | undefined): readonly number[] | null {
  const version = /^prefect\/(\d+)\.(\d+)\.(\d+)/.exec(userAgent ?? "");
  return version === null ? null : version.slice(1).map(Number);
}
