import { membershipId, type AccountId, type GuildId } from '../../domain/ids/ids.js'
import { reject } from '../commands/refused.js'
import { Unavailable } from '../ports/unavailable.js'
import type { Ports } from '../ports.js'

/** How long after it was given up an append may still be taken: the event store's deadlines lie a second apart. */
const doubt_ms = 2000

type Needs = Pick<Ports, 'locks'>

/**
 * Runs `act` while no other holder of the same membership runs: who ends a membership and who makes its account the guild's
 * owner read each other's aggregate before they write their own, and a guild must not come to be owned by somebody who is
 * gone. Refuses with RESOURCE_LOCKED where others do not let go of it. Where it is not known what an act wrote, whoever asked
 * is told so at once, and the membership is held until nothing can come of it any more.
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
