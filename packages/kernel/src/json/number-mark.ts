interface Mark {
  /** At the beginning of texts that stand for a number while JSON is read or written. Nobody outside of the process knows it. */
  readonly text: string;
  readonly quoted: RegExp;
}
let made: Mark | undefined;

/** Made when it is first needed, which is seldom. */
export function theMark(): Mark {
  if (made !== undefined) return made;
  const text = `${crypto.randomUUID().slice(0, 13)} `;
  made = { text, quoted: new RegExp(`"${text}(-?[\\d.e+]+)"`, "g") };
  return made;
}
