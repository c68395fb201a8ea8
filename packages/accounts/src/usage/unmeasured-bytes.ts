/**
 * What workspaces have stored by requests of this process since they were measured, by the length
 * of the bodies: a large database is measured seldom, and a bound would come late.
 */
export class UnmeasuredBytes {
  readonly #bytes = new Map<string, number>();
  readonly #measured = new Map<string, string>();

  add(workspaceId: string, bytes: number): void {
    this.#bytes.set(workspaceId, this.of(workspaceId) + bytes);
  }

  of(workspaceId: string): number {
    return this.#bytes.get(workspaceId) ?? 0;
  }

  /** When the workspace was measured; begins anew where that was not known yet. */
  measured(workspaceId: string, at: string): void {
    if (this.#measured.get(workspaceId) === at) return;
    this.#measured.set(workspaceId, at);
    this.#bytes.delete(workspaceId);
  }
}
