import { privateChannelTypes } from '../../access/private-channel-access.ts'
import type { MessageAudience } from '../../ports/messages.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'

/** Who is notified of a private channel: its recipients, except those who have closed a direct message. */
export function privatePlace({
  id,
  kind,
  recipients,
  closedFor,
}: Pick<PrivateChannel, 'id' | 'kind' | 'recipients' | 'closedFor'>) {
  return {
    channelId: id,
    channelType: privateChannelTypes[kind],
    guildId: null,
    parentId: null,
    recipients: recipients.filter((account) => !closedFor.includes(account)),
  } satisfies MessageAudience
}
