import type { AccountId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'

/** The events of one username's discriminators. Kept forever: members are added, never renamed or reused. */
export const handleEvents = {
  HandleClaimed: event<HandleClaimed>({ username: 'text', discriminator: 'number', accountId: 'text' }),
  HandleReleased: event<Tag & { readonly accountId: AccountId }>({
    username: 'text',
    discriminator: 'number',
    accountId: 'text',
  }),
}

export type HandleEvent = EventOf<typeof handleEvents>

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
