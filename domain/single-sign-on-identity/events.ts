import type { AccountId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'

/**
 * The events of one identity at an OpenID provider and its account. A keyed hash of issuer and subject names the stream, so that
 * no stream name contains them. Kept forever: members are added, never renamed or reused.
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
