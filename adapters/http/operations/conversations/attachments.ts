import { z } from 'zod'
import { attachmentIdInput, channelIdInput, messageIdInput } from '../../schemas/scalars.ts'
import { ofChannel } from '../refusals-of-access.ts'
import { renewAddresses } from '../../../../application/conversations/attachments/renew-addresses.ts'
import { removeAttachment } from '../../../../application/conversations/attachments/remove-attachment.ts'
import { accounts } from '../../callers.ts'
import { perUser, perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { addressesToRenew, renewedAddresses } from '../../schemas/conversations/attachments.ts'

const refreshAttachmentUrlsOperation = operation({
  name: 'Refresh attachment URLs',
  description: 'Gives new addresses for those of attachments, which expire.',
  route: 'POST /v1/attachments/refresh-urls',
  callers: accounts({ bots: true }),
  bucket: perUser('attachment:refresh_urls', { requests: 20, seconds: 10 }),
  body: addressesToRenew,
  exampleBody: {
    attachment_urls: ['https://chat.example/media/attachments/1500000000000000000/1500000000000000001/map.png'],
  },
  keepsNoText: true,
  replies: { 200: renewedAddresses },
  useCase: renewAddresses,
  handle: async ({ caller, body }, run) => ({ refreshed_urls: await run(caller, body) }),
})

const deleteAttachmentOperation = operation({
  name: 'Delete message attachment',
  description: "Removes a file of the caller's own message; the message too, if nothing else is left of it.",
  route: 'DELETE /v1/channels/:channel_id/messages/:message_id/attachments/:attachment_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:message:delete::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: z.object({ channel_id: channelIdInput, message_id: messageIdInput, attachment_id: attachmentIdInput }),
  replies: { 204: none },
  refuses: [
    ...ofChannel,
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'FEATURE_TEMPORARILY_DISABLED',
    'NOT_FOUND',
    'UNKNOWN_MESSAGE',
  ],
  useCase: removeAttachment,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.message_id, params.attachment_id),
})

/** The files of messages. */
export const attachmentOperations: readonly Operation[] = [refreshAttachmentUrlsOperation, deleteAttachmentOperation]
