import type { SignOnSecrets } from '../../ports/openid-provider.ts'
import { ticketKind } from '../../secrets/ticket-kind.ts'

/** A sign-on in progress: its ticket is the `state` that the provider returns. */
export interface SignOnState extends SignOnSecrets {
  /** The provider and client at the start. Once the policy names others, the state is invalid. */
  readonly issuer: string
  readonly clientId: string
  /** Where the client goes after the sign-in, on its own site; empty for none. */
  readonly redirectTo: string
}

export const signOnState = ticketKind<SignOnState>('sso_state')
/** How long somebody may take at the provider. */
export const signOnState_s = 600
