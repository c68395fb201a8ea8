/** An action could not be carried out, for a reason that its event tells. */
export class ActionFailed extends Error {
  override readonly name = "ActionFailed";
  /** More about it, for the payload of the event. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(reason: string, details: Readonly<Record<string, unknown>> = {}) {
    super(reason);
    this.details = details;
  }
}
