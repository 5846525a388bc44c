import { membershipId, type AccountId, type GuildId } from '../../domain/ids/ids.ts'
import { reject } from '../commands/refused.ts'
import { Unavailable } from '../failures/unavailable.ts'
import type { Ports } from '../ports.ts'

/**
 * The event store may still accept an append this long after the append was given up: the store's deadlines lie a second apart.
 */
const doubt_ms = 2000

type Needs = Pick<Ports, 'locks'>

/**
 * Runs `act` while holding a lock on the membership. Ending a membership and transferring ownership each read the other's
 * aggregate before they write their own. The lock prevents that somebody who has left becomes the owner. Refuses with
 * RESOURCE_LOCKED when other holders do not release the lock. When it is unknown whether `act` wrote, the caller gets the error
 * at once, and the lock stays held until a late write is no longer possible.
 */
export function holdingMembership<Result>(
  { locks }: Needs,
  guildId: GuildId,
  accountId: AccountId,
  act: () => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, fail) => {
    const held = locks.holding(`standing of member ${membershipId(guildId, accountId)}`, async () => {
      try {
        resolve(await act())
      } catch (error) {
        fail(error)
        if (error instanceof Unavailable) await new Promise((over) => setTimeout(over, doubt_ms))
      }
    })
    held.then((done) => done ?? reject('RESOURCE_LOCKED')).catch(fail)
  })
}
