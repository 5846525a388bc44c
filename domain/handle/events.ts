import type { AccountId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'

/** What can happen to the discriminators of one username. Kept forever: members are added, never renamed or reused. */
export const handleEvents = {
  HandleClaimed: event<HandleClaimed>({ username: 'text', discriminator: 'number', accountId: 'text' }),
  HandleReleased: event<Tag & { readonly accountId: AccountId }>({
    username: 'text',
    discriminator: 'number',
    accountId: 'text',
  }),
}

export type HandleEvent = EventOf<typeof handleEvents>

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
