import { createHash, timingSafeEqual } from 'node:crypto'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.js'
import type { CommandContext } from '../../commands/command-context.js'
import { randomText } from '../../commands/random-text.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const group_characters = 4

/** Reference identity 3.1. */
export const emailedCode_s = 10 * 60
/** Between two mails of one ticket (reference identity 1.9.1). */
export const resend_s = 30

/** What is kept of a code that was mailed: all of it JSON, and nothing that tells the code. */
export interface EmailedCode {
  readonly hash: string
  readonly sentAt: Timestamp
  readonly expiresAt: Timestamp
}

/** A new code to be mailed, eight of [A-Z0-9] as XXXX-XXXX, and what is kept of it. */
export function newEmailedCode(context: CommandContext): { readonly text: string; readonly kept: EmailedCode } {
  const group = (): string => randomText(context, alphabet, group_characters)
  const text = `${group()}-${group()}`
  const { now } = context
  return {
    text,
    kept: { hash: digestOf(text).toString('hex'), sentAt: now, expiresAt: secondsAfter(now, emailedCode_s) },
  }
}

/** Whether somebody gives the code that was mailed: in any case, with the hyphen or without. */
export function isEmailedCode({ hash }: EmailedCode, given: string): boolean {
  return timingSafeEqual(Buffer.from(hash, 'hex'), digestOf(given))
}

function digestOf(text: string): Buffer {
  return createHash('sha256')
    .update(text.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .digest()
}
