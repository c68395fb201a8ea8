import typescript from "@swc/wasm-typescript";

interface SyntaxProblem {
  readonly message: string;
  readonly snippet?: string;
  readonly startLine?: number;
}

/**
 * The same program without its types, and without the imports that only types needed; enums and the
 * like are written out. A map in it says where its lines were, so that stacks name those.
 */
export function withoutTypes(text: string, file: string): string {
  const options = { mode: "transform", module: true, filename: file, sourceMap: true } as const;
  try {
    const { code, map = "{}" } = typescript.transformSync(text, options);
    const encoded = Buffer.from(map).toString("base64");
    return `${code}\n//# sourceMappingURL=data:application/json;base64,${encoded}`;
  } catch (problem) {
    throw syntaxError(problem as SyntaxProblem, file);
  }
}

/** As Node tells of one in JavaScript: the place, the line, and what is wrong there. */
function syntaxError({ message, snippet = "", startLine = 1 }: SyntaxProblem, file: string) {
  const error = new SyntaxError(`${message} (${file}:${startLine})`);
  error.stack = `${file}:${startLine}\n${snippet.trimEnd()}\n\nSyntaxError: ${message}`;
  return error;
}
