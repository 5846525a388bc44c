import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { heldUpload } from './complete-uploads.ts'
import type { SpendableUpload } from './pair-files.ts'
import type { SentAttachment } from './sent-attachment.ts'

/**
 * The uploads that a message names, by those names: those that are whole, were uploaded by the caller for this channel with the same
 * credential, and were not spent by another message.
 */
export async function namedUploads(
  ports: Pick<Ports, 'uploads'>,
  caller: Caller,
  channelId: ChannelId,
  attachments: readonly SentAttachment[],
): Promise<ReadonlyMap<string, SpendableUpload>> {
  const found = new Map<string, SpendableUpload>()
  for (const { uploadFilename: name } of attachments) {
    if (name === undefined || found.has(name)) continue
    const upload = await heldUpload(ports, caller, channelId, name, caller.context.commandId)
    if (upload?.file) found.set(name, { id: upload.id, file: upload.file })
  }
  return found
}
