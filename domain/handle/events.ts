import type { AccountId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'

/** The events of one username's discriminators. Kept forever: members are added, never renamed or reused. */
export type HandleEvent =
  | { readonly type: 'HandleClaimed'; readonly data: HandleClaimed }
  | { readonly type: 'HandleReleased'; readonly data: Tag & { readonly accountId: AccountId } }

/** A username and one of its discriminators, which is 0 where usernames alone are unique. */
export interface Tag {
  readonly username: string
  readonly discriminator: number
}

export interface HandleClaimed extends Tag {
  readonly accountId: AccountId
  /** The previous tag, to release once the account has this one; absent if it had none. */
  readonly replaces?: Tag
}

export const handleEvents: EventCatalog<HandleEvent> = {
  category: 'handle',
  events: { HandleClaimed: { version: 1 }, HandleReleased: { version: 1 } },
}
