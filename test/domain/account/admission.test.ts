import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { ada, someRegistrationUrl, start } from '../../../domain/testing/people.ts'
import { identity, registered, signedIn, signedOut } from './account-story.ts'

const waiting: AccountEvent = {
  type: 'AccountRegistered',
  data: {
    ...identity,
    registeredAt: start,
    awaitsApproval: true,
    clientIp: '::1',
    registrationUrlId: someRegistrationUrl,
  },
}
const approved: AccountEvent = { type: 'RegistrationApproved', data: { accountId: ada } }
const rejected: AccountEvent = { type: 'RegistrationRejected', data: { accountId: ada } }

const signIn = { type: 'StartSession', tokenHash: 'h1', ip: '::1', userAgent: null, now: start } as const
const returnTo = { type: 'ReturnToAccount', now: start } as const
const approve = { type: 'ApproveRegistration' } as const
const reject = { type: 'RejectRegistration' } as const

describe('an account that waits for approval', () => {
  it('is registered with what the operator is told', () => {
    const { now, ...data } = { ...identity, awaitsApproval: true, clientIp: '::1', now: start }
    given(account, [])
      .when({ type: 'RegisterAccount', ...data, registrationUrlId: someRegistrationUrl, now })
      .then(waiting)
  })

  it('gets no session, and is not returned to', () => {
    given(account, [waiting]).when(signIn).refuses('REGISTRATION_PENDING_APPROVAL')
    given(account, [waiting]).when(returnTo).refuses('REGISTRATION_PENDING_APPROVAL')
  })

  it('is let in once', () => {
    given(account, [waiting]).when(approve).then(approved)
    given(account, [waiting, approved]).when(approve).changesNothing()
    given(account, [waiting, approved]).when(signIn).then(signedIn('h1'))
  })

  it('is turned away once, and may be let in later', () => {
    given(account, [waiting]).when(reject).then(rejected)
    given(account, [waiting, rejected]).when(reject).changesNothing()
    given(account, [waiting, rejected]).when(signIn).refuses('REGISTRATION_REJECTED')
    given(account, [waiting, rejected]).when(approve).then(approved)
  })
})

describe('an account that is in', () => {
  it('can be approved to no effect, and not be rejected', () => {
    given(account, [registered]).when(approve).changesNothing()
    given(account, [registered]).when(reject).refuses('CONFLICT')
    given(account, [waiting, approved]).when(reject).refuses('CONFLICT')
    given(account, []).when(approve).refuses('UNKNOWN_USER')
  })
})

describe('agreeing to the terms at registration', () => {
  it('is part of it', () => {
    const agreed: AccountEvent = {
      type: 'AccountRegistered',
      data: { ...identity, registeredAt: start, termsAcceptedAt: start },
    }
    expect(fold(account, [agreed])).toMatchObject({ termsAcceptedAt: start })
  })
})

const kit = (keyHash: string, createdAt = start): AccountEvent => ({
  type: 'RecoveryKitCreated',
  data: { accountId: ada, keyHash, createdAt },
})
const create = (keyHash: string) => ({ type: 'CreateRecoveryKit', keyHash, now: start }) as const
const revoke = { type: 'RevokeRecoveryKit' } as const
const revoked: AccountEvent = { type: 'RecoveryKitRevoked', data: { accountId: ada } }
const usedKit: AccountEvent = { type: 'RecoveryKitUsed', data: { accountId: ada } }
const later = secondsAfter(start, 1)
const reset = (keyHash: string) => ({ type: 'ResetByRecoveryKit', keyHash, passwordHash: '$new', now: later }) as const
const wrongKey = [field('username', 'INVALID_CODE'), field('recovery_key', 'INVALID_CODE')] as const

describe('a recovery kit', () => {
  it('takes the place of an earlier one', () => {
    given(account, [registered]).when(create('k1')).then(kit('k1'))
    given(account, [registered, kit('k1')])
      .when(create('k2'))
      .then(kit('k2'))
    given(account, [registered, kit('k1'), kit('k2')])
      .when(reset('k1'))
      .refuses('INVALID_FORM_BODY', ...wrongKey)
  })

  it('is revoked once', () => {
    given(account, [registered, kit('k1')])
      .when(revoke)
      .then(revoked)
    given(account, [registered]).when(revoke).changesNothing()
    given(account, [registered, kit('k1'), revoked])
      .when(reset('k1'))
      .refuses('INVALID_FORM_BODY', ...wrongKey)
  })

  it('gives a new password once, and ends every session', () => {
    const kept = [registered, kit('k1'), signedIn('h1')]
    const changed: AccountEvent = {
      type: 'PasswordChanged',
      data: { accountId: ada, passwordHash: '$new', changedAt: later },
    }
    const spent = [usedKit, changed, signedOut('h1')] as const
    given(account, kept)
      .when(reset('k1'))
      .then(...spent)
    given(account, [...kept, ...spent])
      .when(reset('k1'))
      .refuses('INVALID_FORM_BODY', ...wrongKey)
  })
})

describe('in whatever happens to an account', () => {
  const lives = histories(account, accountCommands)

  property('a session begins only while it is admitted', lives, ({ steps }) => {
    for (const { before, command, events } of steps) {
      if (command.type !== 'StartSession' || before.status !== 'registered') continue
      if (events.length > 0) expect(before.admission).toBe('admitted')
    }
  })

  property('a kit serves once: every use spends one that was made after the use before', lives, ({ events }) => {
    let kits = 0
    for (const { type } of events) {
      if (type === 'RecoveryKitCreated') kits = 1
      if (type === 'RecoveryKitRevoked' || type === 'RecoveryKitUsed') {
        expect(kits).toBe(1)
        kits = 0
      }
    }
  })
})
