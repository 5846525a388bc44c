import { createHash, timingSafeEqual } from 'node:crypto'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { randomText } from '../../commands/random-text.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const group_characters = 4

/** How long a mailed code works. */
export const emailedCode_s = 10 * 60
/** The minimum time between two mails for one ticket. */
export const resend_s = 30

/** The stored part of a mailed code, as JSON. It does not reveal the code. */
export interface EmailedCode {
  readonly hash: string
  readonly sentAt: Timestamp
  readonly expiresAt: Timestamp
}

/** A new code to mail, eight of [A-Z0-9] as XXXX-XXXX, and the part to store. */
export function newEmailedCode(context: CommandContext): { readonly text: string; readonly kept: EmailedCode } {
  const group = (): string => randomText(context, alphabet, group_characters)
  const text = `${group()}-${group()}`
  const { now } = context
  return {
    text,
    kept: { hash: digestOf(text).toString('hex'), sentAt: now, expiresAt: secondsAfter(now, emailedCode_s) },
  }
}

/** Whether the given text is the mailed code, in any case, with or without the hyphen. */
export function isEmailedCode({ hash }: EmailedCode, given: string): boolean {
  return timingSafeEqual(Buffer.from(hash, 'hex'), digestOf(given))
}

function digestOf(text: string): Buffer {
  return createHash('sha256')
    .update(text.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .digest()
}
