import { followAlone } from '../../adapters/followers/follow-alone.ts'
import { settleJoin, type JoinSettlingNeeds } from '../../application/communities/admission/settle-join.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import type { MemberJoined } from '../../domain/membership/events.ts'
import type { Base } from './base.ts'

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
