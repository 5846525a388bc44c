import type { AccountId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'

/** What can happen to the discriminators of one username. Kept forever: members are added, never renamed or reused. */
export type HandleEvent =
  | { readonly type: 'HandleClaimed'; readonly data: HandleClaimed }
  | { readonly type: 'HandleReleased'; readonly data: Tag & { readonly accountId: AccountId } }

/** A username and one of its discriminators, which is 0 where usernames are unique alone. */
export interface Tag {
  readonly username: string
  readonly discriminator: number
}

export interface HandleClaimed extends Tag {
  readonly accountId: AccountId
  /** The tag that is to be released once the account has this one; absent where the account had none. */
  readonly replaces?: Tag
}

export const handleEvents: EventCatalog<HandleEvent> = {
  category: 'handle',
  events: { HandleClaimed: { version: 1 }, HandleReleased: { version: 1 } },
}
