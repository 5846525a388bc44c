import { describe, expect, it } from 'vitest'
import { emailAddress, waiting_max } from '../../../domain/email-address/email-address.ts'
import type { EmailAddressEvent } from '../../../domain/email-address/events.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { emailAddressCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { account, ada, grace } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'

laws('emailAddress', emailAddressCommands)

const addressHash = 'hash-of-address'
const claim = (accountId = ada) => ({ type: 'ClaimAddress', addressHash, accountId }) as const
const release = (accountId = ada) => ({ type: 'ReleaseAddress', addressHash, accountId }) as const
const claimed = (accountId = ada): EmailAddressEvent => ({
  type: 'EmailAddressClaimed',
  data: { addressHash, accountId },
})
const released = (accountId = ada): EmailAddressEvent => ({
  type: 'EmailAddressReleased',
  data: { addressHash, accountId },
})
const mallory = account(66)
const wait = (accountId = ada) => ({ ...claim(accountId), orWaits: true }) as const
const awaited = (accountId = ada): EmailAddressEvent => ({
  type: 'EmailAddressAwaited',
  data: { addressHash, accountId },
})
const beyond = (accountId = ada): EmailAddressEvent => ({
  type: 'EmailAddressAwaited',
  data: { addressHash, accountId, beyondQueue: true },
})
const left = (accountId = ada): EmailAddressEvent => ({
  type: 'EmailAddressNoLongerAwaited',
  data: { addressHash, accountId },
})
const taken = (accountId = ada): EmailAddressEvent => ({
  type: 'EmailAddressClaimed',
  data: { addressHash, accountId, awaited: true },
})

describe('claiming an e-mail address', () => {
  it('takes one that nobody holds', () => {
    given(emailAddress, []).when(claim()).then(claimed())
    given(emailAddress, [claimed(), released()]).when(claim(grace)).then(claimed(grace))
  })

  it('says which one it takes the place of', () => {
    given(emailAddress, [])
      .when({ ...claim(), replaces: 'another-hash' })
      .then({ type: 'EmailAddressClaimed', data: { addressHash, accountId: ada, replaces: 'another-hash' } })
  })

  it('is refused where another account holds it', () => {
    given(emailAddress, [claimed()])
      .when(claim(grace))
      .refuses('INVALID_FORM_BODY', field('email', 'EMAIL_ALREADY_IN_USE'))
  })

  it('changes nothing for the account that holds it', () => {
    given(emailAddress, [claimed()]).when(claim()).changesNothing()
  })
})

describe('releasing an e-mail address', () => {
  it('frees it', () => {
    given(emailAddress, [claimed()]).when(release()).then(released())
  })

  it('changes nothing for an account that does not hold it', () => {
    given(emailAddress, []).when(release()).changesNothing()
    given(emailAddress, [claimed()]).when(release(grace)).changesNothing()
    given(emailAddress, [claimed(), released()]).when(release()).changesNothing()
  })
})

describe('waiting for an e-mail address', () => {
  it('is for an account that an administrator gives an address which another holds', () => {
    given(emailAddress, [claimed()]).when(wait(grace)).then(awaited(grace))
    given(emailAddress, [claimed()])
      .when({ ...wait(grace), replaces: 'another-hash' })
      .then({ type: 'EmailAddressAwaited', data: { addressHash, accountId: grace, replaces: 'another-hash' } })
  })

  it('is not needed for a free address, nor for the holder, nor twice', () => {
    given(emailAddress, []).when(wait(grace)).then(claimed(grace))
    given(emailAddress, [claimed()]).when(wait(ada)).changesNothing()
    given(emailAddress, [claimed(), awaited(grace)])
      .when(wait(grace))
      .changesNothing()
  })

  it('ends with the claim, in the order of waiting, once the holder gives it up', () => {
    given(emailAddress, [claimed(), awaited(grace), awaited(mallory)])
      .when(release())
      .then(released(), taken(grace))
    given(emailAddress, [claimed(), awaited(grace), awaited(mallory), released(), taken(grace)])
      .when(release(grace))
      .then(released(grace), taken(mallory))
    given(emailAddress, [claimed(), awaited(grace), released(), taken(grace)])
      .when(release(grace))
      .then(released(grace))
  })

  it('ends when the account gets another address first', () => {
    given(emailAddress, [claimed(), awaited(grace)])
      .when(release(grace))
      .then(left(grace))
    given(emailAddress, [claimed(), awaited(grace), left(grace)])
      .when(release())
      .then(released())
    given(emailAddress, [claimed(), awaited(grace), left(grace)])
      .when(release(grace))
      .changesNothing()
  })

  it('keeps others from the address, whether it is held by the first holder or by one who waited', () => {
    const inUse = field('email', 'EMAIL_ALREADY_IN_USE')
    given(emailAddress, [claimed(), awaited(grace)])
      .when(claim(mallory))
      .refuses('INVALID_FORM_BODY', inUse)
    given(emailAddress, [claimed(), awaited(grace), released(), taken(grace)])
      .when(claim(mallory))
      .refuses('INVALID_FORM_BODY', inUse)
  })
})

describe('the accounts that wait for an e-mail address', () => {
  const queue = Array.from({ length: waiting_max }, (_, index) => account(1000 + index))
  const full = [claimed(), ...queue.map((each) => awaited(each))]

  it('are bounded: a newcomer has the address without waiting, and those that wait keep their places', () => {
    given(emailAddress, full.slice(0, -1)).when(wait(grace)).then(awaited(grace))
    given(emailAddress, full).when(wait(grace)).then(beyond(grace))
    given(emailAddress, [...full, beyond(grace)])
      .when(release())
      .then(released(), taken(queue[0]))
    for (const each of [ada, ...queue.slice(-1)]) given(emailAddress, full).when(wait(each)).changesNothing()
  })

  it('lets a newcomer beyond them leave, and none of those', () => {
    given(emailAddress, [...full, beyond(grace)])
      .when(release(grace))
      .then(left(grace))
    given(emailAddress, [...full, beyond(grace), left(grace)])
      .when(release(grace))
      .changesNothing()
  })

  it('have room for another once one of them has left or taken the claim', () => {
    const [first = grace] = queue
    given(emailAddress, [...full, left(first)])
      .when(wait(grace))
      .then(awaited(grace))
    given(emailAddress, [...full, released(), taken(first)])
      .when(wait(grace))
      .then(awaited(grace))
  })
})

describe('in whatever happens to an e-mail address', () => {
  const both = histories(emailAddress, emailAddressCommands)

  property('two accounts never hold it at once', both, ({ events }) => {
    let holder: string | undefined
    for (const { type, data } of events) {
      if (type === 'EmailAddressClaimed') {
        expect(holder).toBe(undefined)
        holder = data.accountId
      } else if (type === 'EmailAddressReleased') {
        expect(holder).toBe(data.accountId)
        holder = undefined
      } else expect(holder).not.toBe(data.accountId)
    }
  })

  property('nobody waits for an address that is free, and nobody waits twice', both, ({ state }) => {
    if (state.status === 'free') expect(state.waiting).toStrictEqual([])
    else expect(new Set([state.accountId, ...state.waiting]).size).toBe(1 + state.waiting.length)
  })
})
