import type { AccountId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'

/**
 * Whose one identity at an OpenID provider is. The stream is named by a keyed hash of issuer and subject, so that neither is in
 * a stream name. Kept forever: members are added, never renamed or reused.
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
