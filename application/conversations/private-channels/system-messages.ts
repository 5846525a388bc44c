import { privateChannelTypes } from '../../access/private-channel-access.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { postSystemMessage, type SystemMessage } from '../messages/system/post-system-message.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'

/** Posts a system message to a group's current recipients, once for a command's time and the message's content and mentions. */
export async function postToGroup(
  ports: Pick<Ports, 'messages'>,
  { id, recipients }: Pick<PrivateChannel, 'id' | 'recipients'>,
  said: SystemMessage,
  { now, written }: Pick<CommandContext, 'now' | 'written'>,
): Promise<void> {
  const place = {
    channelId: id,
    channelType: privateChannelTypes.group,
    guildId: null,
    parentId: null,
    recipients,
    after: written,
  }
  await postSystemMessage(ports, place, said, now)
}
