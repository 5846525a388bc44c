import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada as accountId } from '../../../domain/testing/people.ts'
import { registered } from './account-story.ts'

const note = { type: 'NoteGatewaySession' } as const
const noted: AccountEvent = { type: 'GatewaySessionNoted', data: { accountId } }
const flagged = (flags: string, before = '0'): AccountEvent => ({
  type: 'FlagsChanged',
  data: { accountId, flags, before },
})
const { HAS_SESSION_STARTED } = accountFlags

describe('the first Gateway session of an account', () => {
  it('is one event, and none for any later session', () => {
    given(account, [registered]).when(note).then(noted)
    given(account, [registered, noted]).when(note).changesNothing()
    given(account, []).when(note).refuses('UNKNOWN_USER')
  })

  it('sets its flag beside all others', () => {
    const flags = (1n | HAS_SESSION_STARTED).toString()
    expect(fold(account, [registered, flagged('1'), noted])).toMatchObject({ flags })
  })

  it('is nothing new to an account that has the flag by hand, and is new to one that it was taken from', () => {
    const byHand = flagged(HAS_SESSION_STARTED.toString())
    given(account, [registered, byHand]).when(note).changesNothing()
    given(account, [registered, noted, flagged('0', HAS_SESSION_STARTED.toString())])
      .when(note)
      .then(noted)
  })
})
