import { describe, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent, AccountRegistered } from '../../../domain/account/events.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada, grace, start } from '../../../domain/testing/people.ts'

const facts: AccountRegistered = {
  accountId: ada,
  username: 'Engine',
  discriminator: 1837,
  globalName: null,
  email: null,
  passwordHash: null,
  dateOfBirth: null,
  emailVerified: false,
  locale: 'en-US',
  registeredAt: start,
}
const person: AccountEvent = { type: 'AccountRegistered', data: facts }
const bot: AccountEvent = { type: 'AccountRegistered', data: { ...facts, botOwnerId: grace } }
const flags = (value: string, before = '0'): AccountEvent => ({
  type: 'FlagsChanged',
  data: { accountId: ada, flags: value, before },
})
const erasing = {
  type: 'AccountErasureStarted',
  data: { accountId: ada, username: 'Engine', addressHash: null, identityHashes: [], startedAt: start },
} as const
const erased: AccountEvent = { type: 'AccountErased', data: { accountId: ada, erasedAt: start } }

const { registeredAt, ...wishes } = facts
const register = { type: 'RegisterAccount', ...wishes, botOwnerId: grace, now: registeredAt } as const
const changeFlags = (value: number) => ({ type: 'ChangeBotFlags', flags: value }) as const
const erase = { type: 'EraseBot', email: null, addressHash: null, now: start } as const
const finish = { type: 'FinishErasure', now: start } as const

describe('the bot of an application', () => {
  it('is registered with whose application it is the bot of', () => {
    given(account, []).when(register).then(bot)
    given(account, [bot]).when(register).changesNothing()
  })

  it('is given the flags of bots and no others', () => {
    given(account, [bot]).when(changeFlags(16)).then(flags('16'))
    given(account, [bot, flags('16')])
      .when(changeFlags(0xff))
      .then(flags('48', '16'))
    given(account, [bot, flags('8589934608')])
      .when(changeFlags(0))
      .then(flags('8589934592', '8589934608'))
    given(account, [bot, flags('16')])
      .when(changeFlags(16))
      .changesNothing()
    given(account, [person]).when(changeFlags(16)).changesNothing()
  })

  it('is erased with its application, and then belongs to nobody', () => {
    given(account, [bot]).when(erase).then(erasing)
    given(account, [bot, erasing]).when(erase).changesNothing()
    given(account, [bot, erasing]).when(finish).then(erased)
    given(account, [bot, erasing, erased]).when(finish).changesNothing()
    given(account, [bot, erasing]).when(changeFlags(16)).refuses('UNKNOWN_USER')
    given(account, [bot, erasing]).when(register).refuses('CONFLICT')
  })

  it('is erased with the hash of the address that an administrator gave it, which must be of its address now', () => {
    const address = { email: 'engine@example.org', verified: false, changedAt: start } as const
    const addressed: AccountEvent = { type: 'EmailAddressChanged', data: { accountId: ada, ...address } }
    given(account, [bot, addressed])
      .when({ ...erase, email: address.email, addressHash: 'a-hash' })
      .then({ ...erasing, data: { ...erasing.data, addressHash: 'a-hash' } })
    given(account, [bot, addressed]).when(erase).refuses('CONFLICT')
  })

  it('alone is erased so: a person’s account is not', () => {
    given(account, [person]).when(erase).refuses('UNKNOWN_USER')
    given(account, [person]).when(finish).refuses('CONFLICT')
    given(account, []).when(erase).refuses('UNKNOWN_USER')
  })
})
