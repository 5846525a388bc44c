import { z } from 'zod'
import { attachmentIdInput, channelIdInput, messageIdInput } from '../../schemas/scalars.ts'
import { ofChannel } from '../refusals-of-access.ts'
import { renewAddresses } from '../../../../application/conversations/attachments/renew-addresses.ts'
import { completeUploads } from '../../../../application/conversations/attachments/complete-uploads.ts'
import { requestUploads } from '../../../../application/conversations/attachments/request-uploads.ts'
import { removeAttachment } from '../../../../application/conversations/attachments/remove-attachment.ts'
import { accounts } from '../../callers.ts'
import { perUser, perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { uploadsToComplete, uploadsToPlan } from '../../schemas/conversations/attachment-inputs.ts'
import {
  addressesToRenew,
  completedUploads,
  renewedAddresses,
  uploadPlans,
} from '../../schemas/conversations/attachments.ts'

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

const uploadBucket = perUserAnd('channel:attachment:upload::channel_id', 'channel_id', { requests: 10, seconds: 10 })

const requestUploadsOperation = operation({
  name: 'Request attachment uploads',
  description: 'Gives addresses to which files are uploaded before the message that takes them.',
  route: 'POST /v1/channels/:channel_id/attachments',
  callers: accounts({ bots: true }),
  bucket: uploadBucket,
  params: z.object({ channel_id: channelIdInput }),
  body: uploadsToPlan,
  exampleBody: { attachments: [{ id: 0, filename: 'map.png', file_size: 24_310, content_type: 'image/png' }] },
  replies: { 200: uploadPlans },
  refuses: [...ofChannel, 'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL', 'COMMUNICATION_DISABLED', 'FILE_SIZE_TOO_LARGE'],
  useCase: requestUploads,
  handle: async ({ caller, params, body }, run) => ({ attachments: await run(caller, params.channel_id, body) }),
})

const completeUploadsOperation = operation({
  name: 'Complete attachment uploads',
  description: 'Puts the parts of uploaded files together.',
  route: 'POST /v1/channels/:channel_id/attachments/complete',
  callers: accounts({ bots: true }),
  bucket: uploadBucket,
  params: z.object({ channel_id: channelIdInput }),
  body: uploadsToComplete,
  exampleBody: { uploads: [{ upload_filename: '1500000000000000000', upload_id: '1500000000000000000' }] },
  keepsNoText: true,
  replies: { 200: completedUploads },
  refuses: ['FILE_SIZE_TOO_LARGE'],
  useCase: completeUploads,
  handle: async ({ caller, params, body }, run) => {
    await run(caller, params.channel_id, body)
    return { uploads: body.map(({ filename }) => ({ upload_filename: filename })) }
  },
})

/** The files of messages. */
export const attachmentOperations: readonly Operation[] = [
  requestUploadsOperation,
  completeUploadsOperation,
  refreshAttachmentUrlsOperation,
  deleteAttachmentOperation,
]
