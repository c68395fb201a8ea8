interface Mark {
  /** At the beginning of texts that stand for a number while JSON is read or written. Nobody outside of the process knows it. */
  readonly text: string;
  readonly quoted: RegExp;
}
let made: Mark | undefined;

/** Made when it is first needed, which is seldom. */
export function theMark(): Mark {
  if (made !== undefined) return made;
  // Not `randomUUID`, which pages that came over plain HTTP do not have.
  const text = `${crypto.getRandomValues(new Uint32Array(2)).join("-")} `;
  made = { text, quoted: new RegExp(`"${text}(-?[\\d.e+]+)"`, "g") };
  return made;
}
