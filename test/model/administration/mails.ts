import { expect } from 'vitest'
import { openOutbox } from '../../../adapters/mail/outbox.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'
import type { ModelAccount } from './account.ts'
import type { AdminWorld } from './world.ts'

/** The mails that administrators' acts send to the holder of an account: their subjects, and the line before a reason, in both languages. */

const kinds = {
  verification: ['Verify your e-mail address for guildhall', 'Bestätige deine E-Mail-Adresse für guildhall'],
  reset: ['Reset your guildhall password', 'Setze dein Passwort für guildhall zurück'],
  banned: ['Your guildhall account is suspended', 'Dein Konto bei guildhall ist gesperrt'],
  lifted: ['Your guildhall account is no longer suspended', 'Dein Konto bei guildhall ist nicht mehr gesperrt'],
  scheduled: ['Your guildhall account will be deleted', 'Dein Konto bei guildhall wird gelöscht'],
  cancelled: ['Your guildhall account will not be deleted', 'Dein Konto bei guildhall wird nicht gelöscht'],
} as const
const reasonLine = /^(?:The reason|Der Grund|The administrators say|Die Verwaltung schreibt dazu): (.*)$/m

/** What the holder is told of a deletion, by its reason: part of the text in both languages. */
const deletions: Readonly<Record<number, readonly [string, string]>> = {
  1: ['As you have asked', 'wie du es gewünscht hast'],
  2: ['have closed your account. It will', 'hat dein Konto geschlossen. Es wird'],
  19: ['has not been used', 'wurde lange nicht benutzt'],
}
const enforced: readonly [string, string] = ['because it broke the rules', 'gegen die Regeln verstoßen']

/** Notes a mail to the holder; nothing for an account without an address. */
export function noteMail(
  { mails }: AdminWorld,
  { email, username, rest }: ModelAccount,
  kind: keyof typeof kinds,
  { reason = null, code }: { readonly reason?: string | null | undefined; readonly code?: number } = {},
): void {
  if (email === null) return
  const isGerman = String(rest['locale']).startsWith('de')
  const told = code === undefined ? (['', ''] as const) : (deletions[code] ?? enforced)
  mails.push({
    to: email,
    greeting: `${isGerman ? 'Hallo' : 'Hello'} ${username},`,
    subject: kinds[kind][isGerman ? 1 : 0],
    reason: reason === '' ? null : reason,
    says: told[isGerman ? 1 : 0],
  })
}

/** Compares the mails of a run that the server has kept. Others, such as those about new sign-ins, are no part of it. */
export async function expectMails({ store }: TestGuildhall, { mails, addresses }: AdminWorld): Promise<void> {
  const subjects = new Set<string>(Object.values(kinds).flat())
  const kept = (await openOutbox(store.database, store.personalDataKey).shown()).toReversed()
  const found = kept.filter(({ to, subject }) => addresses.has(to) && subjects.has(subject))
  expect(
    found.map(({ to, subject, text }, index) => ({
      to,
      greeting: text.split('\n', 1)[0],
      subject,
      reason: reasonLine.exec(text)?.[1] ?? null,
      says: text.includes(mails[index]?.says ?? '') ? mails[index]?.says : text,
    })),
  ).toStrictEqual(mails)
}
