import { field } from '../../../../domain/kernel/refusal.ts'
import { messageFlags } from '../../../../domain/messages/message-flags.ts'
import { voiceFault } from '../../../../domain/messages/voice.ts'
import { lacking } from '../../../../domain/permissions/authority.ts'
import type { DescribedFile } from '../../attachments/pair-files.ts'
import type { Caller } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import type { Ports } from '../../../ports.ts'
import type { SentMessage } from '../sent-message.ts'
import type { TextPlace } from '../text-places.ts'

type FileSaid = Pick<DescribedFile, 'filename'> & Partial<Pick<DescribedFile, 'duration_s' | 'waveform'>>

/** Demands ATTACH_FILES of who sends files in a guild: 403 MISSING_PERMISSIONS (rules/messages#files). */
export function requireMayAttach(place: TextPlace, files: readonly unknown[]): void {
  if (files.length > 0 && place.kind === 'guild' && !place.can('ATTACH_FILES')) reject(lacking('ATTACH_FILES'))
}

/**
 * Demands that a message has no more files than it may, by the limit of the account or of everybody in the guild: field code
 * TOO_MANY_FILES; and that a voice message is one, by the field codes VOICE_MESSAGES_… (rules/messages#files).
 */
export async function requireFilesWithin(
  { limits }: Pick<Ports, 'limits'>,
  { account }: Caller,
  place: TextPlace,
  sent: Pick<SentMessage, 'content' | 'embeds' | 'flags'> &
    Partial<Pick<SentMessage, 'stickerIds'>> & { readonly described: readonly FileSaid[] },
): Promise<void> {
  const { described, flags } = sent
  const isVoice = (flags & messageFlags.VOICE_MESSAGE) !== 0
  if (described.length === 0 && !isVoice) return
  const own = await limits.ofAccount(account)
  const there = place.kind === 'guild' ? await limits.ofGuild(place.access.guild) : own
  const max = Math.max(own.max_attachments_per_message, there.max_attachments_per_message)
  if (described.length > max)
    reject('INVALID_FORM_BODY', field('attachments', 'TOO_MANY_FILES', { reason: 'wrong_length', max }))
  if (!isVoice) return
  const duration_s_max = Math.max(own.max_voice_message_duration, there.max_voice_message_duration)
  const fault = voiceFault({ ...sent, attachments: described }, duration_s_max)
  if (fault) reject('INVALID_FORM_BODY', field(fault.path, fault.code))
}
