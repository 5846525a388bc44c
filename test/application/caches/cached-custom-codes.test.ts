import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cachedCustomCodes } from '../../../application/caches/cached-custom-codes.ts'
import { inviteCode, type InviteCode } from '../../../domain/ids/ids.ts'
import { guild } from '../../projections/support/people.ts'
import type { AnyEvent } from '../../projections/support/world.ts'
import { cachedWorld, type CachedWorld } from './cached-world.ts'

let world: CachedWorld
let number = 0

beforeAll(async () => {
  world = await cachedWorld()
})
afterAll(() => world.the.close())

/** A code that nothing was said about yet. */
const next = (length = 8): InviteCode => inviteCode(`c${(number += 1)}`.padEnd(length, 'x'))
const claimed = (code: InviteCode, claim = 1): AnyEvent => ({
  type: 'CustomCodeClaimed',
  data: { code, guildId: guild(1), claim },
})
const released = (code: InviteCode, claim = 1): AnyEvent => ({
  type: 'CustomCodeReleased',
  data: { code, guildId: guild(1), claim },
})
const named = (before: InviteCode | null, after: InviteCode | null, claim = 1): AnyEvent => ({
  type: 'VanityCodeChanged',
  data: { guildId: guild(1), before: before && { code: before, claim }, after: after && { code: after, claim } },
})
const position = () => world.projector.position
const ask = (code: InviteCode, asOf = position()) => world.held.queries.invites.mayBeCustom(code, asOf)

function gate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), opened }
}

/** As it begins, the cache knows nothing. */
function begin(): void {
  world.held.end()
  world.held.begin()
  world.askedAnew()
}

describe('the custom codes that a random code could equal', () => {
  it('are read once: those that guilds have, and claims that are neither named nor returned', async () => {
    const [held, open, gone, free] = [next(), next(), next(), next()]
    await world.reach(claimed(held), named(null, held), claimed(open), claimed(gone), released(gone))
    begin()
    expect([await ask(held), await ask(open), await ask(gone), await ask(free)]).toStrictEqual([
      true,
      true,
      false,
      false,
    ])
    expect(world.asked).toHaveLength(1)
  })
  it('include one that its guild has given up, until it is returned', async () => {
    const code = next()
    await world.reach(claimed(code), named(null, code), named(code, null))
    begin()
    expect(await ask(code)).toBe(true)
    await world.reach(released(code))
    begin()
    expect(await ask(code)).toBe(false)
  })
  it('include claims from the moment at which the read models hold them, without a statement', async () => {
    begin()
    const code = next()
    expect(await ask(code)).toBe(false)
    await world.reach(claimed(code))
    expect(await ask(code)).toBe(true)
    expect(await ask(next())).toBe(false)
    expect(world.asked).toHaveLength(1)
  })
  it('include claims that came while they were read', async () => {
    const { invites } = world.direct
    const [code, free] = [next(), next()]
    const [isRead, goOn] = [gate(), gate()]
    const customCodes: typeof invites.customCodes = async (...asked) => {
      const read = await invites.customCodes(...asked)
      isRead.open()
      await goOn.opened
      return read
    }
    const { queries, forget } = cachedCustomCodes({ ...invites, customCodes }, position)
    const early = queries.mayBeCustom(free, position())
    await isRead.opened
    // Nobody waits for a reading that another one began.
    expect(await queries.mayBeCustom(free, position())).toBe(true)
    forget({ type: 'CustomCodeClaimed', stream: `invite-${code}`, position: position() })
    goOn.open()
    expect(await early).toBe(false)
    expect(await queries.mayBeCustom(code, position())).toBe(true)
    expect(await queries.mayBeCustom(free, position())).toBe(false)
  })
  it('do not count for a position that this process has not heard of', async () => {
    begin()
    const free = next()
    expect(await ask(free, position() + 1n)).toBe(true)
    expect(await ask(free)).toBe(false)
  })
  it('are not known while another process projects, and are read anew afterwards', async () => {
    begin()
    const [code, free] = [next(), next()]
    expect(await ask(free)).toBe(false)
    world.held.end()
    expect(await ask(free)).toBe(true)
    await world.reach(claimed(code))
    expect(world.asked).toHaveLength(1)
    world.held.begin()
    expect([await ask(code), await ask(free)]).toStrictEqual([true, false])
    expect(world.asked).toHaveLength(2)
  })
  it('that were read before the cache was emptied are not kept', async () => {
    begin()
    const [code, free] = [next(), next()]
    const goOn = world.holdNext()
    const early = ask(free)
    await expect.poll(() => world.asked.length).toBe(1)
    world.held.forgetAll()
    await world.reach(claimed(code))
    goOn()
    expect(await early).toBe(true)
    expect([await ask(code), await ask(free)]).toStrictEqual([true, false])
    expect(world.asked).toHaveLength(2)
  })
  it('are not cached while the read models that have them are at different positions', async () => {
    begin()
    const behind = `update read_models.checkpoints set position = position + 1 where schema = 'unfinished'`
    await world.the.rows(behind)
    try {
      expect([await ask(next()), await ask(next())]).toStrictEqual([true, true])
      expect(world.asked).toHaveLength(2)
    } finally {
      await world.the.rows(behind.replace('+ 1', '- 1'))
    }
    expect(await ask(next())).toBe(false)
  })
  it('are not cached from rows that are older than what was heard', async () => {
    const { invites } = world.direct
    let heard = position() + 1n
    const cached = cachedCustomCodes(invites, () => heard).queries
    expect(await cached.mayBeCustom(next(), position())).toBe(true)
    heard = position()
    expect(await cached.mayBeCustom(next(), position())).toBe(false)
  })
  it('are not cached where there are too many, and are not read again for that', async () => {
    const codes_max = 3
    const all = [next(), next(), next(), next()]
    const record = { position: position(), codes: all.slice(0, 3) }
    let asked = 0
    const queries = { ...world.direct.invites, customCodes: async () => ((asked += 1), record) }
    const { queries: cached, forget } = cachedCustomCodes(queries, () => record.position, { codes_max })
    expect(await cached.mayBeCustom(next(), record.position)).toBe(false)
    const heard = (code: InviteCode) =>
      forget({ type: 'CustomCodeClaimed', stream: `invite-${code}`, position: record.position })
    // Shorter ones can't be drawn.
    heard(next(7))
    expect(await cached.mayBeCustom(next(), record.position)).toBe(false)
    for (const code of all) heard(code)
    expect(await cached.mayBeCustom(next(), record.position)).toBe(true)
    record.codes = all
    const { queries: full } = cachedCustomCodes(queries, () => record.position, { codes_max })
    expect(await full.mayBeCustom(next(), record.position)).toBe(true)
    expect(await full.mayBeCustom(next(), record.position)).toBe(true)
    expect(asked).toBe(2)
  })
})
