import type { Caller } from '../../caller.ts'
import type { PrivateChannelObject } from '../../wire-objects/conversations/private-channel-objects.ts'
import { privateChannelViews, type ViewNeeds } from './private-channel-views.ts'

/** The caller's open private channels: its groups, and the direct messages that it has not closed. */
export function listPrivateChannels(ports: ViewNeeds) {
  return async (caller: Caller): Promise<readonly PrivateChannelObject[]> =>
    privateChannelViews(ports, caller, await ports.queries.privateChannels.openFor(caller.account.id))
}
