import { field } from '../../../domain/kernel/refusal.ts'
import { hasEnded, msOf } from '../../../domain/kernel/timestamp.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import { isEmailedCode, resend_s, type EmailedCode } from './emailed-code.ts'

/** The part of a ticket about the last mailed code; null before the first one, and once it was used. */
interface Coded {
  readonly code: EmailedCode | null
}

/**
 * Demands the code that was mailed. Otherwise refuses with INVALID_FORM_BODY on `code` with
 * VERIFICATION_CODE_NOT_ISSUED, VERIFICATION_CODE_EXPIRED or INVALID_VERIFICATION_CODE.
 */
export function requireEmailedCode({ code }: Coded, given: string, { now }: CommandContext): void {
  if (code === null) return reject('INVALID_FORM_BODY', field('code', 'VERIFICATION_CODE_NOT_ISSUED'))
  if (hasEnded(code.expiresAt, now)) return reject('INVALID_FORM_BODY', field('code', 'VERIFICATION_CODE_EXPIRED'))
  if (!isEmailedCode(code, given)) reject('INVALID_FORM_BODY', field('code', 'INVALID_VERIFICATION_CODE'))
}

/** Refuses with RATE_LIMITED within `resend_s` of the last mail. */
export function requireCooledDown({ code }: Coded, { now }: CommandContext): void {
  if (code === null) return
  const left_ms = msOf(code.sentAt) + resend_s * 1000 - msOf(now)
  if (left_ms > 0) rejectWith('RATE_LIMITED', { global: false, retry_after: left_ms / 1000 })
}
