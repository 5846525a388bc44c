import { privateChannelTypes } from '../../access/private-channel-access.js'
import type { Telling } from '../../ports/messages.js'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.js'

/** Who is notified of a private channel: all its recipients. */
export function privatePlace({ id, kind, recipients }: Pick<PrivateChannel, 'id' | 'kind' | 'recipients'>) {
  return {
    channelId: id,
    channelType: privateChannelTypes[kind],
    guildId: null,
    parentId: null,
    recipients,
  } satisfies Omit<Telling, 'after'>
}
