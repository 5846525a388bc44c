import { describe, expect, it } from 'vitest'
import type { InviteDeleted, InviteEvent, InviteRedeemed, InviteTerms } from '../../../domain/invite/events.ts'
import { invite, inviteStatusAfter } from '../../../domain/invite/invite.ts'
import { admits, expiresAt, rememberedRedemptions, stands, type InviteState } from '../../../domain/invite/state.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories, play } from '../../../domain/testing/histories.ts'
import { account, ada, code, general, grace, home, start } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'
import { property } from '../../support/property.ts'
import { inviteCommands } from '../../../domain/testing/commands/arbitraries.ts'

laws('invite', inviteCommands)

const terms: InviteTerms = {
  code,
  guildId: home,
  channelId: general,
  inviterId: ada,
  maxUses: 2,
  maxAge: 3600,
  temporary: false,
  createdAt: start,
}

const created = (changes: Partial<InviteTerms> = {}): InviteEvent => ({
  type: 'InviteCreated',
  data: { ...terms, ...changes },
})
const redeemed = (redemptionId: string, uses: number, changes: Partial<InviteRedeemed> = {}): InviteEvent => ({
  type: 'InviteRedeemed',
  data: { code, guildId: home, accountId: grace, inviterId: ada, temporary: false, redemptionId, uses, ...changes },
})
const returned = (redemptionId: string, uses: number): InviteEvent => ({
  type: 'InviteRedemptionReturned',
  data: { code, redemptionId, uses },
})
const deleted = (changes: Partial<InviteDeleted> = {}): InviteEvent => ({
  type: 'InviteDeleted',
  data: { ...terms, uses: 0, deletedBy: ada, ...changes },
})

const create = (changes: Partial<InviteTerms> = {}) =>
  ({ type: 'CreateInvite', terms: { ...terms, ...changes } }) as const
const redeem = (redemptionId: string, now: Timestamp = start, accountId = grace) =>
  ({ type: 'RedeemInvite', accountId, redemptionId, now }) as const
const giveBack = (redemptionId: string) => ({ type: 'ReturnRedemption', redemptionId }) as const
const remove = (now: Timestamp = start) => ({ type: 'DeleteInvite', by: ada, now }) as const
const restore = (uses: number, changes: Partial<InviteTerms> = {}) =>
  ({ type: 'RestoreInvite', terms: { ...terms, ...changes }, uses }) as const

const anHourOn = secondsAfter(start, 3600)
const justBefore = secondsAfter(start, 3599.999)

describe('creating an invite', () => {
  it('makes a record under a code that was never given', () => {
    given(invite, []).when(create()).then(created())
  })

  it('is done once, however often it is asked for', () => {
    given(invite, [created()]).when(create()).changesNothing()
    given(invite, [created(), redeemed('r1', 1)])
      .when(create())
      .changesNothing()
  })

  it('never gives a code to another invite, also once the first is deleted', () => {
    given(invite, [created()])
      .when(create({ inviterId: grace }))
      .refuses('CONFLICT')
    given(invite, [created()])
      .when(create({ createdAt: anHourOn }))
      .refuses('CONFLICT')
    given(invite, [created(), deleted()])
      .when(create({ inviterId: grace }))
      .refuses('CONFLICT')
    given(invite, [created(), deleted()]).when(create()).refuses('CONFLICT')
  })
})

describe('redeeming an invite', () => {
  it('takes one use', () => {
    given(invite, [created()]).when(redeem('r1')).then(redeemed('r1', 1))
    given(invite, [created(), redeemed('r1', 1)])
      .when(redeem('r2'))
      .then(redeemed('r2', 2))
  })

  it('takes one use for one redemption, however often it is asked for', () => {
    given(invite, [created({ maxUses: 1 }), redeemed('r1', 1)])
      .when(redeem('r1'))
      .changesNothing()
    given(invite, [created(), redeemed('r1', 1)])
      .when(redeem('r1', anHourOn))
      .changesNothing()
  })

  it('carries on the temporary flag and the inviter', () => {
    given(invite, [created({ temporary: true, inviterId: grace })])
      .when(redeem('r1'))
      .then(redeemed('r1', 1, { temporary: true, inviterId: grace }))
  })

  it('is refused where there is no record', () => {
    given(invite, []).when(redeem('r1')).refuses('UNKNOWN_INVITE')
    given(invite, [created(), deleted()]).when(redeem('r1')).refuses('UNKNOWN_INVITE')
  })

  it('is refused once max_uses is reached', () => {
    given(invite, [created(), redeemed('r1', 1), redeemed('r2', 2)])
      .when(redeem('r3'))
      .refuses('UNKNOWN_INVITE')
  })

  it('is refused from the end of max_age on', () => {
    given(invite, [created()]).when(redeem('r1', justBefore)).then(redeemed('r1', 1))
    given(invite, [created()]).when(redeem('r1', anHourOn)).refuses('UNKNOWN_INVITE')
  })

  it('has no limit of uses or age if they are 0', () => {
    const endless = created({ maxUses: 0, maxAge: 0 })
    const aCenturyOn = secondsAfter(start, 3_155_760_000)
    const uses = Array.from({ length: 200 }, (_, index) => redeemed(`r${index + 1}`, index + 1))
    given(invite, [endless, ...uses])
      .when(redeem('late', aCenturyOn))
      .then(redeemed('late', 201))
  })

  it('is refused for a returned redemption: it would admit an account without a use', () => {
    given(invite, [created(), redeemed('r1', 1), returned('r1', 0)])
      .when(redeem('r1'))
      .refuses('UNKNOWN_INVITE')
  })

  it('admits 10 of 64 accounts where max_uses is 10', () => {
    const attempts = Array.from({ length: 64 }, (_, index) => redeem(`r${index}`, start, account(index)))
    const { steps, events } = play(invite, [create({ maxUses: 10 }), ...attempts])
    expect(events.filter(({ type }) => type === 'InviteRedeemed')).toHaveLength(10)
    const refusals = steps.flatMap(({ decision }) => (decision.outcome === 'refused' ? [decision.refusal.code] : []))
    expect(refusals).toStrictEqual(Array.from({ length: 54 }, () => 'UNKNOWN_INVITE'))
  })
})

describe('returning a redemption', () => {
  it('gives its use back: a failed admission consumes no use', () => {
    given(invite, [created(), redeemed('r1', 1)])
      .when(giveBack('r1'))
      .then(returned('r1', 0))
  })

  it('gives one use back, however often it is asked for', () => {
    given(invite, [created(), redeemed('r1', 1), redeemed('r2', 2), returned('r1', 1)])
      .when(giveBack('r1'))
      .changesNothing()
  })

  it('gives nothing back for a redemption that was never taken', () => {
    given(invite, [created(), redeemed('r1', 1)])
      .when(giveBack('r2'))
      .changesNothing()
    given(invite, [created()]).when(giveBack('r1')).changesNothing()
    given(invite, []).when(giveBack('r1')).changesNothing()
  })

  it('lets an invite that was used up admit one account again', () => {
    const history = [created(), redeemed('r1', 1), redeemed('r2', 2), returned('r1', 1)]
    given(invite, history).when(redeem('r3')).then(redeemed('r3', 2))
    given(invite, [...history, redeemed('r3', 2)])
      .when(redeem('r4'))
      .refuses('UNKNOWN_INVITE')
  })

  it('changes nothing once the record is removed', () => {
    given(invite, [created(), redeemed('r1', 1), deleted({ uses: 1 })])
      .when(giveBack('r1'))
      .changesNothing()
  })
})

describe('deleting an invite', () => {
  it('removes the record, and its event contains it', () => {
    given(invite, [created(), redeemed('r1', 1)])
      .when(remove())
      .then(deleted({ uses: 1 }))
  })

  it('is refused where there is no record, or none that admits anybody', () => {
    given(invite, []).when(remove()).refuses('UNKNOWN_INVITE')
    given(invite, [created(), deleted()]).when(remove()).refuses('UNKNOWN_INVITE')
    given(invite, [created()]).when(remove(anHourOn)).refuses('UNKNOWN_INVITE')
    given(invite, [created({ maxUses: 1 }), redeemed('r1', 1)])
      .when(remove())
      .refuses('UNKNOWN_INVITE')
  })
})

describe('the memory of an invite', () => {
  const popular = Array.from({ length: 300 }, (_, index) => redeemed(`r${index}`, index + 1))
  const state = invited([created({ maxUses: 0 }), ...popular])

  it('is bounded, however popular the invite is', () => {
    expect(state.redeemed).toHaveLength(rememberedRedemptions)
    const all = invited([created({ maxUses: 0 }), ...popular, ...popular.map((_, index) => returned(`r${index}`, 0))])
    expect(all.returned).toHaveLength(rememberedRedemptions)
  })

  it('covers every redemption that can stand of a limited invite', () => {
    expect(rememberedRedemptions).toBeGreaterThanOrEqual(100)
  })

  it('lets a redemption be returned that is too old to be remembered, once', () => {
    given(invite, [created({ maxUses: 0 }), ...popular])
      .when(giveBack('r0'))
      .then(returned('r0', 299))
    given(invite, [created({ maxUses: 0 }), ...popular, returned('r0', 299)])
      .when(giveBack('r0'))
      .changesNothing()
  })

  it('says whether a redemption stands', () => {
    expect(stands(invited([created(), redeemed('r1', 1)]), 'r1')).toBe(true)
    expect(stands(invited([created(), redeemed('r1', 1)]), 'r2')).toBe(false)
    expect(stands(invited([created(), redeemed('r1', 1), returned('r1', 0)]), 'r1')).toBe(false)
    expect(stands(state, 'r0')).toBe(true)
  })

  it('says when it ends, and whether it admits', () => {
    expect(expiresAt(terms)).toBe(anHourOn)
    expect(expiresAt({ ...terms, maxAge: 0 })).toBeNull()
    expect(admits({ terms, uses: 1 }, justBefore)).toBe(true)
    expect(admits({ terms, uses: 1 }, anHourOn)).toBe(false)
    expect(admits({ terms, uses: 2 }, start)).toBe(false)
  })

  it('ignores events of a deleted record', () => {
    const gone = fold(invite, [created(), deleted(), redeemed('r1', 1), returned('r1', 0)])
    expect(gone).toStrictEqual({ status: 'deleted' })
  })
})

property('the last event that decides the status of an invite tells it', histories(invite, inviteCommands), (life) => {
  const types: readonly string[] = life.events.map(({ type }) => type)
  const last = types.findLast((type) => Object.hasOwn(inviteStatusAfter, type))
  expect(last === undefined ? 'absent' : new Map(Object.entries(inviteStatusAfter)).get(last)).toBe(life.state.status)
})

function invited(events: readonly InviteEvent[]): Extract<InviteState, { status: 'created' }> {
  const state = fold(invite, events)
  if (state.status !== 'created') throw new Error('there is no record')
  return state
}

describe('restoring', () => {
  it('brings a deleted invite back with the uses that it had left', () => {
    given(invite, [created(), redeemed('a', 1), deleted({ uses: 1 })])
      .when(restore(1))
      .then(created({ maxUses: 1 }))
    given(invite, [created({ maxUses: 0 }), deleted({ maxUses: 0 })])
      .when(restore(7, { maxUses: 0 }))
      .then(created({ maxUses: 0 }))
  })

  it('does nothing to one that is there, and is refused for any other code and without uses left', () => {
    given(invite, [created()]).when(restore(0)).changesNothing()
    given(invite, []).when(restore(0)).refuses('CONFLICT')
    given(invite, [{ type: 'CustomCodeClaimed', data: { code, guildId: home, claim: 1 } }])
      .when(restore(0))
      .refuses('CONFLICT')
    given(invite, [created(), deleted()]).when(restore(2)).refuses('CONFLICT')
  })
})
