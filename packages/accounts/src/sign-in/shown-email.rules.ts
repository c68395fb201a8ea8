const MAX_DOMAIN = 100;
const EMAIL = /^([^@\s]{1,2})[^@\s]*@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

/**
 * As much of an email as it takes to recognise it: whoever mistypes may have typed their password.
 * What is no email is not shown beyond its beginning.
 */
export function shownEmail(given: string): string {
  const [, start = "", domain = ""] = EMAIL.exec(given.trim()) ?? [];
  if (domain !== "") return `${start}…@${domain.slice(0, MAX_DOMAIN)}`;
  return given === "" ? "" : `${given.slice(0, 1)}…`;
}
