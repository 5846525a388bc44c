import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { standingCommands } from '../../../domain/testing/commands/standing-arbitraries.ts'
import { registered } from './account-story.ts'

const accountId = ada
const scheduled: AccountEvent = {
  type: 'MessageDeletionScheduled',
  data: { accountId, dueAt: start, channelCount: 2, messageCount: 9 },
}
const cancelled: AccountEvent = { type: 'MessageDeletionCancelled', data: { accountId } }
const withdrawn: AccountEvent = { type: 'MessageDeletionWithdrawn', data: { accountId } }
const finished: AccountEvent = { type: 'MessageDeletionFinished', data: { accountId, dueAt: start } }
const finish = { type: 'FinishMessageDeletion', dueAt: start } as const

describe('the end of a scheduled deletion of all messages', () => {
  it('is withdrawn by the holder, who is told even if none is scheduled', () => {
    const withdraw = { type: 'WithdrawMessageDeletion' } as const
    given(account, [registered, scheduled]).when(withdraw).then(withdrawn)
    given(account, [registered]).when(withdraw).then(withdrawn)
    given(account, [registered, scheduled, withdrawn]).when({ type: 'CancelMessageDeletion' }).changesNothing()
    given(account, [registered, scheduled, withdrawn]).when(finish).changesNothing()
  })

  it('is finished only as it was scheduled, and not after it was cancelled', () => {
    given(account, [registered, scheduled]).when(finish).then(finished)
    given(account, [registered, scheduled, finished]).when(finish).changesNothing()
    given(account, [registered, scheduled, cancelled]).when(finish).changesNothing()
    const later = secondsAfter(start, 1)
    given(account, [registered, scheduled])
      .when({ ...finish, dueAt: later })
      .changesNothing()
  })

  const lives = histories(account, fc.oneof(accountCommands, standingCommands))

  property('is one of cancelled and finished, never both', lives, ({ events }) => {
    const own = events.filter(({ type }) => type.startsWith('MessageDeletion'))
    for (const [index, { type }] of own.entries()) {
      if (type === 'MessageDeletionCancelled' || type === 'MessageDeletionFinished')
        expect(own[index - 1]?.type).toBe('MessageDeletionScheduled')
    }
  })
})
