import { followAlone } from '../../adapters/followers/follow-alone.ts'
import { clearAfterBan, type ClearingNeeds } from '../../application/communities/bans/clear-after-ban.ts'
import type { MemberBanned } from '../../domain/membership/events.ts'
import type { Base } from './base.ts'

/** In one worker at a time: makes sure that messages that a ban was to delete are deleted, whatever happened to its request. */
export async function clearAfterBans({ closings, elector, store, onError }: Base, ports: ClearingNeeds): Promise<void> {
  const follower = followAlone({
    name: 'ban_messages',
    elector,
    store: store.events,
    isMeant: ({ type }) => type === 'MemberBanned',
    // The type of an event determines its data.
    handle: ({ data, position }) => clearAfterBan(ports, data as MemberBanned, position),
    onError,
  })
  closings.add(() => follower.stop())
}
