import { followAlone } from '../../adapters/followers/follow-alone.js'
import { settleJoin, type JoinSettlingNeeds } from '../../application/communities/admission/settle-join.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import type { MemberJoined } from '../../domain/membership/events.js'
import type { Base } from './base.js'

/** In one worker at a time: makes sure that everything that follows from a join was done, whatever happened to its request. */
export async function settleJoins(
  { closings, elector, store, onError }: Base,
  ports: JoinSettlingNeeds,
): Promise<void> {
  const settle = settleJoin(ports)
  const follower = followAlone({
    name: 'joins',
    elector,
    store: store.events,
    isMeant: ({ type }) => type === 'MemberJoined',
    // The type of an event determines its data.
    handle: ({ data, ...event }) => settle({ ...event, data: data as MemberJoined }, timestamp(Date.now())),
    onError,
  })
  closings.add(() => follower.stop())
}
