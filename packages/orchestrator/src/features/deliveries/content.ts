/** What is sent, with all templates in it rendered. */
export type Content =
  | { readonly type: "send-notification"; readonly subject: string; readonly body: string }
  | { readonly type: "call-webhook"; readonly payload: string };
