/** What is sent, with all templates in it rendered. */
export type Content =
  | {
      readonly type: "send-notification";
      readonly subject: string;
      readonly body: string;
      /** Marks of the recipients, where there are several, in the order of the parts. */
      readonly recipients?: readonly string[];
      /** Why one of them will never get it, where others wait for another attempt. */
      readonly refusal?: string;
    }
  | { readonly type: "call-webhook"; readonly payload: string };
