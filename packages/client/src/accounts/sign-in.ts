import type {
  AuthMethods,
  InvitationAccept,
  InvitationLook,
  InvitationView,
  Me,
  SessionLogin,
} from "@orchestrator/contract";
import { get, post, query, trigger } from "../transport/operation.ts";

/** Sessions are for browsers, which keep their cookie; programs give `apiKey` instead. */
export const signIn = {
  /** The ways in that this server offers. */
  methods: get<() => AuthMethods>("/auth/methods"),
  logIn: post<(login: SessionLogin) => Me>("/auth/login"),
  logOut: trigger<() => void>("/auth/logout"),
  /** What an invitation is for. */
  lookAtInvitation: query<(look: InvitationLook) => InvitationView>("/auth/invitations/look"),
  acceptInvitation: post<(accept: InvitationAccept) => Me>("/auth/invitations/accept"),
};
