import type { AttachmentId, ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { deleteMessage } from '../messages/delete-message.ts'
import { isEmpty } from '../messages/rules/require-content.ts'
import { requireMessage } from '../messages/rules/readable-message.ts'
import { requireMessagesEnabled } from '../messages/rules/require-may-send.ts'
import { audienceOf, requireTextChannel, type TextChannelNeeds } from '../messages/text-places.ts'

/**
 * Removes one attachment of the caller's own message. If nothing is left of the message, the message is deleted, with all that
 * follows. Refuses as `requireTextChannel` does, then with FEATURE_TEMPORARILY_DISABLED, UNKNOWN_MESSAGE, and MISSING_PERMISSIONS for
 * a message of somebody else; with NOT_FOUND for a file that the message does not have, or that an embed shows
 * (rules/messages#files).
 */
export function removeAttachment(ports: TextChannelNeeds & Pick<Ports, 'messages'>) {
  const remove = deleteMessage(ports)
  return async (caller: Caller, channelId: ChannelId, id: MessageId, attachment: AttachmentId): Promise<void> => {
    const place = await requireTextChannel(ports, caller, channelId)
    requireMessagesEnabled(place)
    for (;;) {
      const message = await requireMessage(ports, place, id)
      if (message.authorId !== caller.account.id) return reject('MISSING_PERMISSIONS')
      const attachments = message.attachments.filter((each) => each.id !== attachment)
      if (attachments.length === message.attachments.length) return reject('NOT_FOUND')
      if (isEmpty({ ...message, files: attachments, stickerIds: message.stickers }))
        return remove(caller, channelId, id)
      const insteadOf = { embeds: message.embeds, attachments: message.attachments }
      const changes = { attachments, editedAt: caller.context.now, insteadOf }
      const edited = await ports.messages.edit(id, changes, audienceOf(place))
      if (edited === undefined) return reject('UNKNOWN_MESSAGE')
      if (edited !== 'overtaken') return
    }
  }
}
