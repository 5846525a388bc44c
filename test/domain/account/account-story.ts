import type { AccountEvent, AccountRegistered } from '../../../domain/account/events.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { ada, start } from '../../../domain/testing/people.ts'

/** The past events of Ada's account, from which tests continue. */

export const identity: Omit<AccountRegistered, 'registeredAt'> = {
  accountId: ada,
  username: 'Ada',
  discriminator: 1815,
  globalName: 'Ada L.',
  email: 'ada@example.org',
  passwordHash: '$argon2id$',
  dateOfBirth: '1990-12-10',
  emailVerified: true,
  locale: 'en-US',
}

export const registered: AccountEvent = { type: 'AccountRegistered', data: { ...identity, registeredAt: start } }

export const signedIn = (tokenHash: string): AccountEvent => ({
  type: 'SessionStarted',
  data: { accountId: ada, tokenHash, startedAt: start, ip: '::1', userAgent: null },
})

export const delegationsEnded = (version: number, endedAt: Timestamp = start): AccountEvent => ({
  type: 'DelegationsEnded',
  data: { accountId: ada, version, endedAt },
})

export const signedOut = (tokenHash: string): AccountEvent => ({
  type: 'SessionEnded',
  data: { accountId: ada, tokenHash },
})
