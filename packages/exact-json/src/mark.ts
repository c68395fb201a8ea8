interface Mark {
  /**
   * At the beginning of texts that stand for something else while JSON is read or written. Nobody
   * outside of the process knows it.
   */
  readonly text: string;
  /** A text that stands for a number. */
  readonly quotedNumber: RegExp;
  /** A name that would be taken for an index. */
  readonly quotedName: RegExp;
}
let made: Mark | undefined;

/** Behind the mark of a name. */
export const NAME_MARK = "#";

/** Made when it is first needed, which is seldom. */
export function theMark(): Mark {
  if (made !== undefined) return made;
  // Not `randomUUID`, which pages that came over plain HTTP do not have.
  const text = `${crypto.getRandomValues(new Uint32Array(2)).join("-")} `;
  made = {
    text,
    quotedNumber: new RegExp(`"${text}(-?[\\d.e+]+)"`, "g"),
    quotedName: new RegExp(`"${text}${NAME_MARK}(\\d+)"`, "g"),
  };
  return made;
}
