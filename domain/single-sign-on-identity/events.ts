import type { AccountId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'

/**
 * Whose one identity at an OpenID provider is. The stream is named by a keyed hash of issuer and subject, so that neither is in
 * a stream name. Kept forever: members are added, never renamed or reused.
 */
export const singleSignOnIdentityEvents = {
  SingleSignOnIdentityClaimed: event<SingleSignOnIdentityClaimed>({ identityHash: 'text', accountId: 'text' }),
  SingleSignOnIdentityReleased: event<SingleSignOnIdentityClaimed>({ identityHash: 'text', accountId: 'text' }),
}

export type SingleSignOnIdentityEvent = EventOf<typeof singleSignOnIdentityEvents>

export interface SingleSignOnIdentityClaimed {
  readonly identityHash: string
  readonly accountId: AccountId
}
