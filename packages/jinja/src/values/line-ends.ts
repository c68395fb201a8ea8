/** What ends a line for Python, where two signs that belong together are one end. */
const SIGNS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029";

export const LINE_END = new RegExp(`\\r\\n|[${SIGNS}]`, "g");
