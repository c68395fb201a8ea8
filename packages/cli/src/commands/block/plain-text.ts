/** A text of a block type as it was sent: a server makes it safe to be shown. */
export const plainText = (text: string | null): string | null =>
  text?.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&") ?? null;
