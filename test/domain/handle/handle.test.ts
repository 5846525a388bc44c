import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HandleEvent } from '../../../domain/handle/events.ts'
import { handle } from '../../../domain/handle/handle.ts'
import { discriminatorMax, discriminatorsOf, type HandleState, type Held } from '../../../domain/handle/state.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories, play } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { handleCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { account, ada, grace, linus } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'

laws('handle', handleCommands)

const claim = (accountId = ada, roll = 0, username = 'ada') =>
  ({ type: 'ClaimHandle', username, accountId, roll }) as const
const release = (accountId = ada) => ({ type: 'ReleaseHandle', accountId }) as const
const claimed = (discriminator: number, accountId = ada): HandleEvent => ({
  type: 'HandleClaimed',
  data: { username: 'ada', discriminator, accountId },
})
const released = (discriminator: number, accountId = ada): HandleEvent => ({
  type: 'HandleReleased',
  data: { username: 'ada', discriminator, accountId },
})

const heldIn = (state: HandleState): readonly Held[] => (state.status === 'claimed' ? state.held : [])
const highestRoll = 1 - Number.EPSILON / 2
const everybody = Array.from({ length: discriminatorMax }, (_, index) => claimed(index + 1, account(index + 1)))
const newcomer = account(20_000)
/** A username whose tags are all taken. */
const full = { ...handle, initial: fold(handle, everybody) }

describe('claiming a handle', () => {
  it('takes one of the discriminators 1-9999, by the roll', () => {
    given(handle, []).when(claim(ada, 0)).then(claimed(1))
    given(handle, []).when(claim(ada, 0.5)).then(claimed(5000))
    given(handle, []).when(claim(ada, highestRoll)).then(claimed(9999))
  })

  it('takes a free one', () => {
    given(handle, [claimed(1), claimed(2, linus)])
      .when(claim(grace, 0))
      .then(claimed(3, grace))
    given(handle, [claimed(2)])
      .when(claim(grace, 0))
      .then(claimed(1, grace))
    given(handle, [claimed(9999)])
      .when(claim(grace, highestRoll))
      .then(claimed(9998, grace))
    given(handle, [claimed(5000), claimed(5001, linus)])
      .when(claim(grace, 0.5))
      .then(claimed(4999, grace))
    given(handle, everybody.toSpliced(1814, 1)).when(claim(newcomer, 0.7)).then(claimed(1815, newcomer))
  })

  it('takes the requested one, if it is free', () => {
    const wish = (otherwise: 'roll' | 'refuse') => ({ ...claim(), wish: { discriminator: 1815, otherwise } })
    given(handle, []).when(wish('roll')).then(claimed(1815))
    given(handle, []).when(wish('refuse')).then(claimed(1815))
    given(handle, [claimed(1815, grace)])
      .when(wish('roll'))
      .then(claimed(1))
    given(handle, [claimed(1815, grace)])
      .when(wish('refuse'))
      .refuses('INVALID_FORM_BODY', field('discriminator', 'TAG_ALREADY_TAKEN'))
  })

  it('takes 0 only if it is requested and free, also of a full username', () => {
    const zero = (otherwise: 'roll' | 'refuse') => ({ wish: { discriminator: 0, otherwise } })
    const wish = (accountId: typeof ada, otherwise: 'roll' | 'refuse') => ({ ...claim(accountId), ...zero(otherwise) })
    given(handle, []).when(wish(ada, 'refuse')).then(claimed(0))
    given(handle, []).when(wish(ada, 'roll')).then(claimed(0))
    given(handle, [claimed(0)])
      .when(wish(grace, 'roll'))
      .then(claimed(1, grace))
    given(handle, [claimed(0)])
      .when(wish(grace, 'refuse'))
      .refuses('INVALID_FORM_BODY', field('discriminator', 'TAG_ALREADY_TAKEN'))
    given(full, []).when(wish(newcomer, 'refuse')).then(claimed(0, newcomer))
    given(full, [claimed(0, linus)])
      .when(wish(newcomer, 'roll'))
      .refuses('INVALID_FORM_BODY', field('username', 'TOO_MANY_USERS_WITH_THIS_USERNAME'))
  })

  it('says which tag it takes the place of', () => {
    const replaces = { username: 'countess', discriminator: 7 }
    given(handle, [])
      .when({ ...claim(), replaces })
      .then({ type: 'HandleClaimed', data: { username: 'ada', discriminator: 1, accountId: ada, replaces } })
  })

  it('gives an account the username alone beside its discriminator, and any discriminator beside the username alone', () => {
    const replacing = (discriminator: number) => ({ ...claim(), replaces: { username: 'Ada', discriminator } })
    const changed = (from: number, to: number): HandleEvent => ({
      type: 'HandleClaimed',
      data: { username: 'ada', discriminator: to, accountId: ada, replaces: { username: 'Ada', discriminator: from } },
    })
    const alone = { ...replacing(7), alone: true }
    given(handle, [claimed(7)])
      .when(alone)
      .then(changed(7, 0))
    given(handle, [claimed(7), claimed(8, grace)])
      .when(alone)
      .refuses('INVALID_FORM_BODY', field('username', 'USERNAME_ALREADY_TAKEN'))
    given(handle, [claimed(0), claimed(1, grace)])
      .when(replacing(0))
      .then(changed(0, 2))
    given(handle, [claimed(7), changed(7, 0)])
      .when(alone)
      .changesNothing()
    given(handle, [claimed(0)])
      .when({ ...replacing(0), alone: true })
      .changesNothing()
  })

  it('is for the username in any case', () => {
    given(handle, [])
      .when(claim(ada, 0, 'Ada'))
      .then(claimed(1))
    given(handle, [claimed(1)])
      .when(claim(grace, 0, 'ADA'))
      .then(claimed(2, grace))
  })

  it('gives an account that holds one no second', () => {
    given(handle, [claimed(7)])
      .when(claim(ada, 0.5))
      .changesNothing()
    given(full, [])
      .when(claim(account(1), 0.5))
      .changesNothing()
  })

  it('gives an account another one, beside the one that it gives up', () => {
    const change = (discriminator: number, replaced = 7) => ({
      ...claim(),
      wish: { discriminator, otherwise: 'refuse' as const },
      replaces: { username: 'Ada', discriminator: replaced },
    })
    const changed = (discriminator: number): HandleEvent => ({
      type: 'HandleClaimed',
      data: { username: 'ada', discriminator, accountId: ada, replaces: { username: 'Ada', discriminator: 7 } },
    })
    given(handle, [claimed(7)])
      .when(change(8))
      .then(changed(8))
    given(handle, [claimed(7), claimed(8, grace)])
      .when(change(8))
      .refuses('INVALID_FORM_BODY', field('discriminator', 'TAG_ALREADY_TAKEN'))
    given(full, [])
      .when({ ...change(8, 1), accountId: account(1) })
      .refuses('INVALID_FORM_BODY', field('discriminator', 'TAG_ALREADY_TAKEN'))
    for (const nothing of [change(7), change(8, 9)])
      given(handle, [claimed(7)])
        .when(nothing)
        .changesNothing()
    given(handle, [claimed(7), changed(8)])
      .when(change(9))
      .changesNothing()
    given(handle, [claimed(7), changed(8)])
      .when({ ...release(), discriminator: 7 })
      .then(released(7))
    given(handle, [claimed(7), changed(8)])
      .when(release())
      .then(released(7), released(8))
  })

  it('is refused if none is free', () => {
    given(full, [])
      .when(claim(newcomer, 0.5))
      .refuses('INVALID_FORM_BODY', field('username', 'TOO_MANY_USERS_WITH_THIS_USERNAME'))
  })
})

describe('claiming a username alone', () => {
  const alone = (accountId = ada, username = 'ada') => ({ ...claim(accountId, 0.5, username), alone: true })

  it('takes discriminator 0, whatever is wished for', () => {
    given(handle, []).when(alone()).then(claimed(0))
    given(handle, [])
      .when({ ...alone(), wish: { discriminator: 7, otherwise: 'refuse' } })
      .then(claimed(0))
  })

  it('is refused if another account has the username, in any case', () => {
    const taken = field('username', 'USERNAME_ALREADY_TAKEN')
    given(handle, [claimed(0, grace)])
      .when(alone(ada, 'ADA'))
      .refuses('INVALID_FORM_BODY', taken)
    given(handle, [claimed(1815, grace)])
      .when(alone())
      .refuses('INVALID_FORM_BODY', taken)
    given(handle, [claimed(0, grace), released(0, grace)])
      .when(alone())
      .then(claimed(0))
  })

  it('gives an account that holds one no second', () => {
    given(handle, [claimed(0)])
      .when(alone())
      .changesNothing()
  })

  it('takes no discriminator away from those who have one', () => {
    given(handle, [claimed(0, grace)])
      .when(claim(ada, 0))
      .then(claimed(1))
    given(handle, [claimed(0, grace), ...everybody.slice(1)])
      .when(claim(newcomer, 0.5))
      .then(claimed(1, newcomer))
  })
})

describe('releasing a handle', () => {
  it('frees the discriminator', () => {
    given(handle, [claimed(7)])
      .when(release())
      .then(released(7))
    given(handle, [claimed(1), released(1)])
      .when(claim(grace, 0))
      .then(claimed(1, grace))
    given(full, [released(1815, account(1815))])
      .when(claim(newcomer, 0.3))
      .then(claimed(1815, newcomer))
  })

  it('changes nothing for an account that holds none', () => {
    given(handle, []).when(release()).changesNothing()
    given(handle, [claimed(7)])
      .when(release(grace))
      .changesNothing()
    given(handle, [claimed(7), released(7)])
      .when(release())
      .changesNothing()
  })
})

describe('in whatever happens to a username', () => {
  const lives = histories(handle, handleCommands)

  property('no discriminator is held twice, and no account holds two but while it changes them', lives, ({ steps }) => {
    const holders = new Map<number, string>()
    for (const { data, type } of steps.flatMap(({ events }) => events)) {
      if (type === 'HandleReleased') {
        expect(holders.get(data.discriminator)).toBe(data.accountId)
        holders.delete(data.discriminator)
      } else {
        expect(holders.has(data.discriminator)).toBe(false)
        const own = [...holders].filter(([, holder]) => holder === data.accountId).map(([number]) => number)
        expect(own.length === 0 || (own.length === 1 && own[0] === data.replaces?.discriminator)).toBe(true)
        holders.set(data.discriminator, data.accountId)
      }
    }
  })

  property('the state holds what was claimed and not released, lowest first', lives, ({ steps }) => {
    for (const { after } of steps) {
      const numbers = heldIn(after).map(([discriminator]) => discriminator)
      expect(numbers).toStrictEqual([...new Set(numbers)].toSorted((a, b) => a - b))
      for (const [discriminator, accountId] of heldIn(after)) {
        expect(discriminatorsOf(after, accountId)).toContain(discriminator)
      }
    }
  })

  const roll = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const taken = fc.uniqueArray(fc.integer({ min: 1, max: discriminatorMax }), { maxLength: 200, size: 'max' })
  const crowds = fc.tuple(taken, roll)
  property('the roll falls on a free discriminator from 1 to 9999', crowds, ([numbers, chance]) => {
    const state = fold(
      handle,
      numbers.map((number) => claimed(number, account(number))),
    )
    const decision = handle.decide(state, claim(newcomer, chance))
    const [event] = decision.outcome === 'accepted' ? decision.events : []
    const free = Array.from({ length: discriminatorMax }, (_, index) => index + 1).filter((n) => !numbers.includes(n))
    expect(event?.data.discriminator).toBe(free[Math.floor(chance * free.length)])
  })

  it('gives out all 9999, and then none', () => {
    const crowded = {
      ...handle,
      initial: fold(
        handle,
        everybody.filter((_, index) => index % 100 !== 0),
      ),
    }
    const claims = Array.from({ length: 101 }, (_, index) => claim(account(20_000 + index), (index * 0.618) % 1))
    const { events, state, steps } = play(crowded, claims)
    expect(new Set(events.map(({ data }) => data.discriminator)).size).toBe(100)
    expect(new Set(heldIn(state).map(([discriminator]) => discriminator)).size).toBe(discriminatorMax)
    expect(steps.map(({ decision }) => decision.outcome).lastIndexOf('accepted')).toBe(99)
    expect(JSON.stringify(state).length).toBeLessThan(400_000)
  })
})
