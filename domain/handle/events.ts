import type { AccountId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'

/** What can happen to the discriminators of one username. Kept forever: members are added, never renamed or reused. */
export type HandleEvent =
  | {
      readonly type: 'HandleClaimed'
      readonly data: { readonly username: string; readonly discriminator: number; readonly accountId: AccountId }
    }
  | {
      readonly type: 'HandleReleased'
      readonly data: { readonly username: string; readonly discriminator: number; readonly accountId: AccountId }
    }

export const handleEvents: EventCatalog<HandleEvent> = {
  category: 'handle',
  events: { HandleClaimed: { version: 1 }, HandleReleased: { version: 1 } },
}
