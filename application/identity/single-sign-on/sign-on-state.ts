import type { SignOnSecrets } from '../../ports/openid-provider.js'
import { ticketKind } from '../../ports/tickets.js'

/** A sign-on that was begun: its ticket is the `state` that the provider sends people back with. */
export interface SignOnState extends SignOnSecrets {
  /** Whom it was begun with: once the policy names another provider or client, it is worth nothing. */
  readonly issuer: string
  readonly clientId: string
  /** Where the client goes once signed in, on its own site; empty for nowhere in particular. */
  readonly redirectTo: string
}

export const signOnState = ticketKind<SignOnState>('sso_state')
/** Reference identity 3.3. */
export const signOnState_s = 600
