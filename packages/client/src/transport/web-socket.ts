/**
 * What is used of a `WebSocket`, whoever made it: a browser's, Node's own from version 22 on, or
 * that of the package `ws`.
 */
export interface WebSocketLike {
  /** How much of what was sent has not left yet. */
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  /** Browsers do not let pages ping. */
  ping?(): unknown;
  /** Whether `ping` resolves with the answer. */
  readonly confirmsByPong?: boolean;
  pause?(): void;
  resume?(): void;
}

export type WebSocketConstructor = new (
  url: string,
  protocols: string[],
  options?: { readonly headers?: Readonly<Record<string, string>> },
) => WebSocketLike;
