import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reject } from '../../application/commands/refused.ts'
import type { Tickets } from '../../application/ports/tickets.ts'
import { ticketKind } from '../../application/secrets/ticket-kind.ts'
import { ticketLifetime_s_max, ticketPayload_bytes_max } from '../../adapters/tickets/ticket-text.ts'

export interface OpenTickets {
  readonly tickets: Tickets
  /** Lets time pass. */
  pass(seconds: number): Promise<void>
  close(): Promise<void>
}

const login = ticketKind<{ readonly account: string; readonly attempts: number }>('login')
const reset = ticketKind<{ readonly account: string; readonly attempts: number }>('reset', 'alphanumeric')
const change = ticketKind<{ readonly step: string }>('change', 'uuid')
const typed = ticketKind<{ readonly step: string }>('typed', 'typed')
const ada = { account: '1', attempts: 0 }

/** The behaviour of every adapter of the port Tickets. `open` returns an empty one for each test. */
export function ticketsContract(name: string, open: () => Promise<OpenTickets>): void {
  describe(`${name}, as tickets,`, () => {
    let opened: OpenTickets
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())
    const tickets = (): Tickets => opened.tickets

    for (const part of [issuing, taking, expiring, changing, revoking]) part(tickets, () => opened)
  })
}

type Part = (tickets: () => Tickets, opened: () => OpenTickets) => void

const issuing: Part = (tickets) => {
  it('have the form of their kind, and never the same text twice', async () => {
    const issued = await Promise.all([
      tickets().issue(login, ada, 60),
      tickets().issue(login, ada, 60),
      tickets().issue(reset, ada, 60),
      tickets().issue(change, { step: 'new' }, 60),
      tickets().issue(typed, { step: 'new' }, 60),
    ])
    expect(issued[0]).toMatch(/^[\w-]{43}$/)
    expect(issued[2]).toMatch(/^[A-Za-z0-9]{64}$/)
    expect(issued[3]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(issued[4]).toMatch(/^[A-HJKMNP-Z2-9]{12}$/)
    expect(new Set(issued).size).toBe(5)
  })
  it('contain what they were issued with, for every reader, however often they read', async () => {
    const ticket = await tickets().issue(login, { account: 'ä\u2028"', attempts: 2 }, 60)
    expect(await tickets().look(login, ticket)).toEqual({ account: 'ä\u2028"', attempts: 2 })
    expect(await tickets().look(login, ticket)).toEqual({ account: 'ä\u2028"', attempts: 2 })
  })
  it('contain no more than their bound, when issued and when changed', async () => {
    const full = { step: 'x'.repeat(ticketPayload_bytes_max - '{"step":""}'.length) }
    const ticket = await tickets().issue(change, full, 60)
    expect(await tickets().look(change, ticket)).toEqual(full)
    const tooMuch = { step: `${full.step}x` }
    await expect(tickets().issue(change, tooMuch, 60)).rejects.toThrow('at most 16384 bytes')
    await expect(tickets().change(change, ticket, () => tooMuch)).rejects.toThrow('at most 16384 bytes')
    expect(await tickets().look(change, ticket)).toEqual(full)
  })
  it('live longer than no time and no longer than a week', async () => {
    for (const seconds of [0, -1, Number.NaN, Infinity, ticketLifetime_s_max + 1]) {
      await expect(tickets().issue(login, ada, seconds)).rejects.toThrow('A ticket of login lives at most')
    }
    expect(await tickets().issue(login, ada, ticketLifetime_s_max)).toHaveLength(43)
  })
}

const taking: Part = (tickets) => {
  it('are consumed by the caller that takes them', async () => {
    const ticket = await tickets().issue(login, ada, 60)
    expect(await tickets().take(login, ticket)).toEqual(ada)
    expect(await tickets().take(login, ticket)).toBeUndefined()
    expect(await tickets().look(login, ticket)).toBeUndefined()
    expect(await tickets().change(login, ticket, (payload) => ({ ...payload, attempts: 9 }))).toBeUndefined()
  })
  it('go to one of many that take them at the same moment', async () => {
    const ticket = await tickets().issue(login, ada, 60)
    const takers = await Promise.all(Array.from({ length: 20 }, () => tickets().take(login, ticket)))
    expect(takers.filter((payload) => payload !== undefined)).toEqual([ada])
  })
  it('do not exist under another kind, even one with the same content, and stay what they were', async () => {
    const ticket = await tickets().issue(login, ada, 60)
    expect(await tickets().look(reset, ticket)).toBeUndefined()
    expect(await tickets().take(reset, ticket)).toBeUndefined()
    expect(await tickets().change(reset, ticket, (payload) => ({ ...payload, attempts: 9 }))).toBeUndefined()
    expect(await tickets().look(login, ticket)).toEqual(ada)
  })
  it.each(['', 'unknown', 'x'.repeat(100_000), '\0', '\ud800', "' or true --"])(
    'that were never issued are unknown, whatever their text: %j',
    async (text) => {
      await tickets().issue(login, ada, 60)
      expect(await tickets().look(login, text)).toBeUndefined()
      expect(await tickets().take(login, text)).toBeUndefined()
      expect(await tickets().change(login, text, (payload) => ({ ...payload }))).toBeUndefined()
    },
  )
}

const expiring: Part = (tickets, opened) => {
  it('are unknown after they expire', async () => {
    const [brief, long] = [await tickets().issue(login, ada, 60), await tickets().issue(login, ada, 3600)]
    await opened().pass(61)
    expect(await tickets().look(login, brief)).toBeUndefined()
    expect(await tickets().take(login, brief)).toBeUndefined()
    expect(await tickets().change(login, brief, (payload) => ({ ...payload }), 60)).toBeUndefined()
    expect(await tickets().take(login, long)).toEqual(ada)
  })
  it('keep their expiry when they are changed', async () => {
    const ticket = await tickets().issue(login, ada, 60)
    await opened().pass(40)
    await tickets().change(login, ticket, (payload) => ({ ...payload, attempts: 1 }))
    await opened().pass(21)
    expect(await tickets().look(login, ticket)).toBeUndefined()
  })
  it('get the lifetime that a change sets, shorter or longer, counted from then on', async () => {
    const [longer, shorter] = [await tickets().issue(login, ada, 60), await tickets().issue(login, ada, 3600)]
    for (const ticket of [longer, shorter])
      await tickets().change(login, ticket, (payload) => ({ ...payload, attempts: 1 }), 300)
    await opened().pass(200)
    expect(await tickets().look(login, longer)).toEqual({ ...ada, attempts: 1 })
    await opened().pass(101)
    expect(await tickets().look(login, longer)).toBeUndefined()
    expect(await tickets().look(login, shorter)).toBeUndefined()
  })
}

const changing: Part = (tickets) => {
  it('contain their new content, which is returned to the caller that changes them', async () => {
    const ticket = await tickets().issue(login, ada, 60)
    const changed = await tickets().change(login, ticket, (payload) => ({ ...payload, attempts: payload.attempts + 1 }))
    expect(changed).toEqual({ ...ada, attempts: 1 })
    expect(await tickets().take(login, ticket)).toEqual({ ...ada, attempts: 1 })
  })
  it('lose no change of many at the same moment', async () => {
    const ticket = await tickets().issue(login, ada, 60)
    const seen = await Promise.all(
      Array.from({ length: 20 }, () =>
        tickets().change(login, ticket, (payload) => ({ ...payload, attempts: payload.attempts + 1 })),
      ),
    )
    expect(seen.map((payload) => payload?.attempts).toSorted((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })
  it('stay as they were if the change is refused, or is none', async () => {
    const ticket = await tickets().issue(login, ada, 60)
    await expect(tickets().change(login, ticket, () => reject('RATE_LIMITED'))).rejects.toThrow('RATE_LIMITED')
    expect(await tickets().change(login, ticket, (payload) => payload)).toEqual(ada)
    expect(await tickets().look(login, ticket)).toEqual(ada)
  })
}

const revoking: Part = (tickets) => {
  it('of one subject and one kind end together, and no others do', async () => {
    const adas = [await tickets().issue(reset, ada, 60, '1'), await tickets().issue(reset, ada, 60, '1')]
    const others = [await tickets().issue(reset, ada, 60, '2'), await tickets().issue(reset, ada, 60)]
    const otherKind = await tickets().issue(login, ada, 60, '1')
    await tickets().revokeAll(reset, '1')
    expect(await Promise.all(adas.map((ticket) => tickets().look(reset, ticket)))).toEqual([undefined, undefined])
    expect(await Promise.all(others.map((ticket) => tickets().look(reset, ticket)))).toEqual([ada, ada])
    expect(await tickets().look(login, otherKind)).toEqual(ada)
  })
  it('of one subject are forgotten together, of all kinds, and no others are', async () => {
    const adas = [await tickets().issue(reset, ada, 60, '1'), await tickets().issue(login, ada, 60, '1')] as const
    const others = [await tickets().issue(reset, ada, 60, '2'), await tickets().issue(reset, ada, 60)]
    await tickets().forget('1')
    expect(await tickets().look(reset, adas[0])).toBe(undefined)
    expect(await tickets().look(login, adas[1])).toBe(undefined)
    expect(await Promise.all(others.map((ticket) => tickets().look(reset, ticket)))).toEqual([ada, ada])
  })
}
