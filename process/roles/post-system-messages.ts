import { followAlone } from '../../adapters/followers/follow-alone.ts'
import {
  placeOfSystemMessages,
  postMissedMessages,
  raisesSystemMessages,
} from '../../application/conversations/messages/system/post-missed-messages.ts'
import type { Ports } from '../../application/ports.ts'
import type { Base } from './base.ts'

/**
 * In one worker at a time: posts the system messages for joins, and those that a dead process did not post in groups and
 * threads, each once.
 */
export async function postSystemMessages(
  { closings, elector, store, onError }: Base,
  ports: Pick<Ports, 'queries' | 'messages' | 'readModels'>,
): Promise<void> {
  const follower = followAlone({
    name: 'system_messages',
    elector,
    store: store.events,
    isMeant: raisesSystemMessages,
    handle: postMissedMessages(ports),
    keyOf: placeOfSystemMessages,
    onError,
  })
  closings.add(() => follower.stop())
}
