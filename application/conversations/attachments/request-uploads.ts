import { contentTypeOf } from '../../../domain/attachments/content-type.ts'
import { partSizeOf, partsOf } from '../../../domain/attachments/upload-plan.ts'
import { attachmentId, type ChannelId } from '../../../domain/ids/ids.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { fileBounds } from '../../access/file-bounds.ts'
import type { Upload } from '../../ports/uploads.ts'
import type { Ports } from '../../ports.ts'
import type { UploadPlan } from '../../wire-objects/conversations/upload-objects.ts'
import { requireMayAttach } from '../messages/rules/require-files.ts'
import { requireNotTimedOut } from '../messages/rules/require-may-send.ts'
import { requireTextChannel, type TextChannelNeeds, type TextPlace } from '../messages/text-places.ts'
import { uploadHolder } from './upload-holder.ts'

/** A file that a client is about to upload. */
export interface AskedUpload {
  /** The client's own number for it. */
  readonly id: number
  /** As `filenameOf` gives it. */
  readonly filename: string
  readonly size_bytes: number
}

type Needs = TextChannelNeeds & Pick<Ports, 'uploadAddresses' | 'uploads'>

/**
 * Gives addresses to which files are uploaded before the message that takes them. Refuses as `requireTextChannel` does, whatever the
 * caller's age; in a guild with 403 MISSING_PERMISSIONS without SEND_MESSAGES or ATTACH_FILES, COMMUNICATION_DISABLED; and with 400
 * FILE_SIZE_TOO_LARGE for a file above the limit of the account, or of everybody in the guild (rules/messages#uploads).
 */
export function requestUploads(ports: Needs) {
  return async (
    caller: Caller,
    channelId: ChannelId,
    asked: readonly AskedUpload[],
  ): Promise<readonly UploadPlan[]> => {
    const place = await requireTextChannel(ports, caller, channelId, { atAnyAge: true })
    requireMayUpload(caller, place)
    const { file_bytes_max } = await fileBounds(ports, caller.account, channelId)
    if (asked.some(({ size_bytes }) => size_bytes > file_bytes_max)) reject('FILE_SIZE_TOO_LARGE')
    const uploads = asked.map(({ filename, size_bytes }): Upload => ({
      ...uploadHolder(caller, channelId),
      id: attachmentId(caller.context.newId()),
      filename,
      size_bytes,
      part_bytes: partSizeOf(size_bytes),
    }))
    await ports.uploads.add(uploads)
    return uploads.map((upload, index) => planOf(ports, caller, upload, asked[index]?.id ?? index))
  }
}

function requireMayUpload(caller: Caller, place: TextPlace): void {
  if (place.kind !== 'guild') return
  if (!place.can('SEND_MESSAGES')) reject(lacking('SEND_MESSAGES'))
  requireMayAttach(place, [caller])
  requireNotTimedOut(caller, place)
}

function planOf(
  { uploadAddresses }: Pick<Ports, 'uploadAddresses'>,
  { context: { now } }: Caller,
  { id, filename, size_bytes, part_bytes }: Upload,
  own: number,
): UploadPlan {
  const about = {
    id: own,
    filename,
    upload_filename: id,
    file_size: size_bytes,
    content_type: contentTypeOf(filename),
  }
  const addressOf = (part: number | null, bytes: number): string =>
    uploadAddresses.addressOf({ id, part, size_bytes: bytes }, now)
  if (part_bytes === null) return { ...about, upload_mode: 'singlepart', upload_url: addressOf(null, size_bytes) }
  const parts = partsOf(size_bytes, part_bytes).map((bytes, index) => ({
    part_number: index + 1,
    upload_url: addressOf(index + 1, bytes),
  }))
  return { ...about, upload_mode: 'multipart', upload_id: id, part_size: part_bytes, parts }
}
