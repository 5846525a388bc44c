import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { InviteCommand } from '../../../domain/invite/commands.ts'
import type { InviteEvent } from '../../../domain/invite/events.ts'
import { invite } from '../../../domain/invite/invite.ts'
import type { InviteState } from '../../../domain/invite/state.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { inviteCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { ada, code, general, home, start } from '../../../domain/testing/people.ts'

/** Any order of creating, redeeming, returning, deleting and time; most histories begin with a creation. A restored invite begins anew. */
const commands = inviteCommands.filter(({ type }) => type !== 'RestoreInvite')
const anyOrder = histories(invite, commands)
const creation = fc
  .record({ maxUses: fc.constantFrom(0, 1, 2, 3, 100), maxAge: fc.constantFrom(0, 60, 600) })
  .map(({ maxUses, maxAge }): InviteCommand => ({
    type: 'CreateInvite',
    terms: {
      code,
      guildId: home,
      channelId: general,
      inviterId: ada,
      maxUses,
      maxAge,
      temporary: false,
      createdAt: start,
    },
  }))
const created = creation.chain((create) => histories({ ...invite, initial: after(create) }, commands))
const lives = fc.oneof(anyOrder, created)

function after(create: InviteCommand): InviteState {
  const decision = invite.decide(invite.initial, create)
  if (decision.outcome === 'refused') throw new Error('the first creation is never refused')
  return decision.events.reduce(invite.evolve, invite.initial)
}

describe('under any interleaving of create, redeem, return, delete and time', () => {
  property('no event counts more uses than max_uses, or fewer than none', lives, ({ steps }) => {
    for (const { before, events } of steps) {
      if (before.status !== 'created') continue
      const limit = before.terms.maxUses === 0 ? Infinity : before.terms.maxUses
      for (const event of events) {
        expect(usesIn(event)).toBeGreaterThanOrEqual(0)
        expect(usesIn(event)).toBeLessThanOrEqual(limit)
      }
    }
  })

  property('the uses are the redemptions that were taken and not returned', lives, ({ steps }) => {
    const standing = new Set<string>()
    for (const { events, after: state } of steps) {
      for (const event of events) {
        if (event.type === 'InviteRedeemed') standing.add(event.data.redemptionId)
        if (event.type === 'InviteRedemptionReturned') expect(standing.delete(event.data.redemptionId)).toBe(true)
      }
      if (state.status === 'created') expect(state.uses).toBe(standing.size)
    }
  })

  property('a returned redemption frees exactly one use', lives, ({ steps }) => {
    for (const { command, events, before, after: state } of steps) {
      if (command.type !== 'ReturnRedemption' || events.length === 0) continue
      expect(usesOf(state)).toBe(usesOf(before) - 1)
    }
  })

  property('what was returned is never taken again', lives, ({ events }) => {
    const returned = new Set<string>()
    for (const event of events) {
      if (event.type === 'InviteRedemptionReturned') returned.add(event.data.redemptionId)
      if (event.type === 'InviteRedeemed') expect(returned.has(event.data.redemptionId)).toBe(false)
    }
  })

  property(
    'a new redemption takes a use exactly where the record is there, in time and not used up',
    lives,
    ({ steps }) => {
      for (const { before, command, events, decision } of steps) {
        if (command.type !== 'RedeemInvite') continue
        const isNew = !remembered(before).includes(command.redemptionId)
        expect(events.length).toBe(isNew && isOpen(before, command.now) ? 1 : 0)
        if (isNew && !isOpen(before, command.now)) expect(decision.outcome).toBe('refused')
      }
    },
  )

  property('nothing comes after the deletion', lives, ({ events }) => {
    const deletion = events.findIndex(({ type }) => type === 'InviteDeleted')
    expect(deletion === -1 || deletion === events.length - 1).toBe(true)
  })
})

/** Computed from the terms in another way than in the domain. */
function isOpen(state: InviteState, now: Timestamp): boolean {
  if (state.status !== 'created') return false
  const { maxAge, maxUses, createdAt } = state.terms
  const age_seconds = (msOf(now) - msOf(createdAt)) / 1000
  return (maxAge === 0 || age_seconds < maxAge) && (maxUses === 0 || state.uses < maxUses)
}

function remembered(state: InviteState): readonly string[] {
  return state.status === 'created' ? [...state.redeemed, ...state.returned] : []
}

function usesIn(event: InviteEvent): number {
  return 'uses' in event.data ? event.data.uses : 0
}

function usesOf(state: InviteState): number {
  return state.status === 'created' ? state.uses : 0
}
