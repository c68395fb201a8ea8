declare global {
  interface String {
    // In Node 20, not yet in the es2023 library.
    isWellFormed(): boolean;
    toWellFormed(): string;
  }
}

/**
 * A text in which half a character, as one that was cut may have, is replaced: others could not
 * read it.
 */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
