import { followAlone } from '../../adapters/followers/follow-alone.js'
import { clearAfterBan, type ClearingNeeds } from '../../application/communities/bans/clear-after-ban.js'
import type { MemberBanned } from '../../domain/membership/events.js'
import type { Base } from './base.js'

/** Has one worker at a time see to it that the messages that were to go with a ban are gone, whatever became of its request. */
export async function clearAfterBans(
  { closings, following, store, onError }: Base,
  ports: ClearingNeeds,
): Promise<void> {
  const follower = followAlone({
    name: 'ban_messages',
    pool: following.pool,
    store: store.events,
    isMeant: ({ type }) => type === 'MemberBanned',
    // The type of an event says what its data are.
    handle: ({ data, position }) => clearAfterBan(ports, data as MemberBanned, position),
    onError,
  })
  closings.add(() => follower.stop())
}
