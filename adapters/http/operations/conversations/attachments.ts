import { renewAddresses } from '../../../../application/conversations/attachments/renew-addresses.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { operation, type Operation } from '../../operation.ts'
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

/** The files of messages. */
export const attachmentOperations: readonly Operation[] = [refreshAttachmentUrlsOperation]
