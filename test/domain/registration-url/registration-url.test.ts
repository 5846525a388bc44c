import { describe, expect, it } from 'vitest'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { RegistrationUrlEvent, RegistrationUrlTerms } from '../../../domain/registration-url/events.ts'
import { registrationUrl } from '../../../domain/registration-url/registration-url.ts'
import { rememberedUses } from '../../../domain/registration-url/state.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { registrationUrlCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { account, ada, grace, linus, moderator, someRegistrationUrl, start } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'

laws('registrationUrl', registrationUrlCommands)

const terms: RegistrationUrlTerms = {
  registrationUrlId: someRegistrationUrl,
  codeHash: 'code-1',
  label: 'Summer',
  createdBy: moderator,
  createdAt: start,
  expiresAt: null,
  maxUses: null,
  approvalRequired: false,
}

const created = (wishes: Partial<RegistrationUrlTerms> = {}): RegistrationUrlEvent => ({
  type: 'RegistrationUrlCreated',
  data: { ...terms, ...wishes },
})
const used = (accountId: AccountId, useCount: number): RegistrationUrlEvent => ({
  type: 'RegistrationUrlUsed',
  data: { registrationUrlId: someRegistrationUrl, accountId, useCount },
})
const returned = (accountId: AccountId, useCount: number): RegistrationUrlEvent => ({
  type: 'RegistrationUrlUseReturned',
  data: { registrationUrlId: someRegistrationUrl, accountId, useCount },
})
const revoked: RegistrationUrlEvent = {
  type: 'RegistrationUrlRevoked',
  data: { registrationUrlId: someRegistrationUrl },
}

const create = { type: 'CreateRegistrationUrl', terms } as const
const use = (accountId = ada, now = start) => ({ type: 'UseRegistrationUrl', accountId, now }) as const
const returnUse = (accountId = ada) => ({ type: 'ReturnRegistrationUrlUse', accountId }) as const
const revoke = { type: 'RevokeRegistrationUrl' } as const

describe('creating a registration URL', () => {
  it('is done once, under an id that nobody has', () => {
    given(registrationUrl, []).when(create).then(created())
    given(registrationUrl, [created()]).when(create).changesNothing()
    given(registrationUrl, [created({ codeHash: 'another' })])
      .when(create)
      .refuses('CONFLICT')
  })
})

describe('using a registration URL', () => {
  it('takes one use an account', () => {
    given(registrationUrl, [created()]).when(use()).then(used(ada, 1))
    given(registrationUrl, [created(), used(ada, 1)])
      .when(use())
      .changesNothing()
    given(registrationUrl, [created(), used(ada, 1)])
      .when(use(grace))
      .then(used(grace, 2))
  })

  it('is REGISTRATION_URL_INVALID where there is none, once revoked, and once used up', () => {
    given(registrationUrl, []).when(use()).refuses('REGISTRATION_URL_INVALID')
    given(registrationUrl, [created(), revoked]).when(use()).refuses('REGISTRATION_URL_INVALID')
    given(registrationUrl, [created({ maxUses: 1 }), used(ada, 1)])
      .when(use(grace))
      .refuses('REGISTRATION_URL_INVALID')
  })

  it('is so from the very instant at which it expires', () => {
    const until = secondsAfter(start, 60)
    given(registrationUrl, [created({ expiresAt: until })])
      .when(use(ada, secondsAfter(start, 59)))
      .then(used(ada, 1))
    given(registrationUrl, [created({ expiresAt: until })])
      .when(use(ada, until))
      .refuses('REGISTRATION_URL_INVALID')
  })

  it('is so for an account whose use came back: its registration was refused', () => {
    given(registrationUrl, [created(), used(ada, 1), returned(ada, 0)])
      .when(use())
      .refuses('REGISTRATION_URL_INVALID')
  })
})

describe('giving a use back', () => {
  it('lets somebody else have it', () => {
    const once = [created({ maxUses: 1 }), used(ada, 1)]
    given(registrationUrl, once).when(returnUse()).then(returned(ada, 0))
    given(registrationUrl, [...once, returned(ada, 0)])
      .when(use(linus))
      .then(used(linus, 1))
  })

  it('changes nothing where none stands', () => {
    given(registrationUrl, []).when(returnUse()).changesNothing()
    given(registrationUrl, [created()]).when(returnUse()).changesNothing()
    given(registrationUrl, [created(), used(ada, 1), returned(ada, 0)])
      .when(returnUse())
      .changesNothing()
  })

  it('also gives back one that is too old to be remembered', () => {
    const crowd = Array.from({ length: rememberedUses + 1 }, (_, index) => used(account(index + 1), index + 1))
    given(registrationUrl, [created(), ...crowd])
      .when(returnUse(account(1)))
      .then(returned(account(1), rememberedUses))
  })
})

describe('revoking a registration URL', () => {
  it('is done once; one that is not there is nothing to revoke', () => {
    given(registrationUrl, [created()]).when(revoke).then(revoked)
    given(registrationUrl, [created(), revoked]).when(revoke).changesNothing()
    given(registrationUrl, []).when(revoke).changesNothing()
  })
})

describe('in whatever happens to a registration URL', () => {
  const lives = histories(registrationUrl, registrationUrlCommands)

  property('the uses that stand are counted, and are never more than max_uses', lives, ({ steps }) => {
    const standing = new Set<AccountId>()
    for (const { events, after } of steps) {
      for (const { type, data } of events) {
        if (type === 'RegistrationUrlUsed') standing.add(data.accountId)
        if (type === 'RegistrationUrlUseReturned') expect(standing.delete(data.accountId)).toBe(true)
      }
      if (after.status === 'absent') continue
      expect(after.useCount).toBe(standing.size)
      expect(after.useCount).toBeLessThanOrEqual(after.terms.maxUses ?? Number.POSITIVE_INFINITY)
    }
  })

  property('a revoked one is used no more', lives, ({ steps }) => {
    for (const { before, events } of steps) {
      if (before.status === 'created' && before.isRevoked)
        expect(events.map(({ type }) => type)).not.toContain('RegistrationUrlUsed')
    }
  })

  it('the state stays small', () => {
    const crowd = Array.from({ length: 2000 }, (_, index) => used(account(index + 1), index + 1))
    expect(JSON.stringify(fold(registrationUrl, [created(), ...crowd])).length).toBeLessThan(8192)
  })
})
