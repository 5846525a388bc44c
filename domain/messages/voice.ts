import type { FieldCode } from '../kernel/field-codes.ts'
import { contentTypeOf } from '../attachments/content-type.ts'
import { visible } from '../text/normalise.ts'

/** What is looked at of a message that claims to be a voice message. */
export interface ClaimedVoiceMessage {
  readonly content: string
  readonly embeds: readonly unknown[]
  /** Absent for none. */
  readonly stickerIds?: readonly unknown[]
  readonly attachments: readonly {
    readonly filename: string
    readonly duration_s?: number | undefined
    readonly waveform?: string | undefined
  }[]
}

/** What is wrong with a voice message; undefined if nothing is. `path` names the member. */
export function voiceFault(
  { content, embeds, stickerIds = [], attachments }: ClaimedVoiceMessage,
  duration_s_max: number,
): { readonly path: string; readonly code: FieldCode } | undefined {
  const [file, second] = attachments
  if (!file || second) return { path: 'attachments', code: 'VOICE_MESSAGES_REQUIRE_SINGLE_ATTACHMENT' }
  const { filename, duration_s, waveform } = file
  if (waveform === undefined)
    return { path: 'attachments.0.waveform', code: 'VOICE_MESSAGES_ATTACHMENT_WAVEFORM_REQUIRED' }
  if (duration_s === undefined)
    return { path: 'attachments.0.duration', code: 'VOICE_MESSAGES_ATTACHMENT_DURATION_REQUIRED' }
  if (visible(content) !== '') return { path: 'content', code: 'VOICE_MESSAGES_CANNOT_HAVE_CONTENT' }
  if (embeds.length > 0) return { path: 'embeds', code: 'VOICE_MESSAGES_CANNOT_HAVE_EMBEDS' }
  if (stickerIds.length > 0) return { path: 'sticker_ids', code: 'VOICE_MESSAGES_CANNOT_HAVE_STICKERS' }
  if (duration_s > duration_s_max)
    return { path: 'attachments.0.duration', code: 'VOICE_MESSAGES_DURATION_EXCEEDS_LIMIT' }
  return contentTypeOf(filename).startsWith('audio/')
    ? undefined
    : { path: 'attachments.0', code: 'VOICE_MESSAGES_ATTACHMENT_MUST_BE_AUDIO' }
}
