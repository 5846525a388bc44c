import type { AccountId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'

/**
 * The events of one identity at an OpenID provider and its account. A keyed hash of issuer and subject names the stream, so that
 * no stream name contains them. Kept forever: members are added, never renamed or reused.
 */
export type SingleSignOnIdentityEvent =
  | { readonly type: 'SingleSignOnIdentityClaimed'; readonly data: SingleSignOnIdentityClaimed }
  | { readonly type: 'SingleSignOnIdentityReleased'; readonly data: SingleSignOnIdentityClaimed }

export interface SingleSignOnIdentityClaimed {
  readonly identityHash: string
  readonly accountId: AccountId
}

export const singleSignOnIdentityEvents: EventCatalog<SingleSignOnIdentityEvent> = {
  category: 'single_sign_on_identity',
  events: { SingleSignOnIdentityClaimed: { version: 1 }, SingleSignOnIdentityReleased: { version: 1 } },
}
