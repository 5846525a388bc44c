import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { ChannelDeletion } from '../../conversations/private-channels/close-private-channel.ts'
import type { Ports } from '../../ports.ts'
import type { ChannelBody, ChannelKind, FoundChannel } from './found-channel.ts'
import { guildKind } from './guild-kind.ts'
import { privateKind } from './private-kind.ts'
import { threadKind } from './thread-kind.ts'

/** All kinds, in the order of the search. Each kind before the right one costs a query. */
const kinds: readonly ChannelKind[] = [guildKind, threadKind, privateKind]

/** Finds a channel of any kind, or refuses with 404 UNKNOWN_CHANNEL. */
function requireAnyChannel(ports: Ports) {
  const finders = kinds.map((kind) => kind(ports))
  return async (caller: Caller, channelId: ChannelId): Promise<FoundChannel> => {
    for (const find of finders) {
      const found = await find(caller, channelId)
      if (found) return found
    }
    return reject('UNKNOWN_CHANNEL')
  }
}

/** A channel as its caller sees it. Refuses as its kind does (rules/channels#reach). */
export function readChannel(ports: Ports) {
  const find = requireAnyChannel(ports)
  return async (caller: Caller, channelId: ChannelId) => (await find(caller, channelId)).read()
}

/** Changes a channel. Refuses as its kind does. */
export function changeChannel(ports: Ports) {
  const find = requireAnyChannel(ports)
  return async (caller: Caller, channelId: ChannelId, body: ChannelBody) => (await find(caller, channelId)).change(body)
}

/** Deletes a channel, leaves a group, or closes a direct message. Refuses as its kind does. */
export function deleteChannel(ports: Ports) {
  const find = requireAnyChannel(ports)
  return async (caller: Caller, channelId: ChannelId, wishes: ChannelDeletion) =>
    (await find(caller, channelId)).delete(wishes)
}
