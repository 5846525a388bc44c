import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { offlineShown_max, type Row } from '../../../gateway/member-lists/member-list.ts'
import { pauses } from '../../../gateway/member-lists/pauses.ts'
import { accounts, channels, Play, steps } from '../support/roster-play.ts'

const rowText = (row: Row): string =>
  'heading' in row ? `${row.heading.id}: ${row.heading.count}` : row.entry.accountId

const everything = { from: 0, to: Number.POSITIVE_INFINITY }

/** Builds what was begun anew. */
async function builtLists(play: Play): Promise<void> {
  for (const number of channels.keys()) {
    const list = play.list(number)
    while (!list.isBuilt) await play.roster.build(list, pauses())
  }
}

describe('the lists of a roster', () => {
  it('are what one computes from scratch, after any changes, and say which rows changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 40, size: 'max' }), async (list) => {
        const play = new Play()
        await builtLists(play)
        for (const step of list) {
          const before = channels.map((_, number) => {
            const { members } = play.list(number)
            members.takeTouched()
            return { members, rows: members.rows(everything).map(rowText) }
          })
          play.take(step)
          await builtLists(play)
          // Both channels may have one list.
          const lists = new Set(before.map(({ members }) => members))
          const touched = new Map([...lists].map((members) => [members, members.takeTouched()]))
          for (const [number, was] of before.entries()) {
            const { members } = play.list(number)
            const rows = members.rows(everything).map(rowText)
            expect(rows).toStrictEqual(play.expected(number))
            expect(members.rows({ from: 2, to: 4 }).map(rowText)).toStrictEqual(rows.slice(2, 5))
            // One that was begun anew is read anew.
            if (members !== was.members) continue
            const span = touched.get(members)
            for (const [row, text] of rows.entries())
              if (text !== was.rows[row]) expect(span && span.from <= row && row <= span.to).toBe(true)
          }
        }
      }),
      { numRuns: 60, includeErrorInReport: true },
    )
  })

  it('change while they are built', async () => {
    const play = new Play()
    for (const number of accounts.keys()) play.take({ type: 'join', member: number })
    const { promise, go } = held()
    const building = play.roster.build(play.list(0), { isDue: () => true, next: () => promise })
    play.take({ type: 'leave', member: 3 })
    play.take({ type: 'nick', member: 8, name: 'a' })
    play.take({ type: 'online', member: 1 })
    go()
    await building
    expect(play.list(0).members.rows(everything).map(rowText)).toStrictEqual(play.expected(0))
  })

  it(`leave out who is offline among more than ${offlineShown_max} members`, async () => {
    const play = new Play()
    await builtLists(play)
    const rows = Array.from({ length: offlineShown_max - 1 }, (_, index) => ({
      accountId: accountId(snowflake(String(1000 + index))),
      roles: [],
      nick: null,
      accountName: `member ${index}`,
    }))
    play.roster.fill(rows, () => false)
    const { members } = play.list(0)
    expect(members.groups).toStrictEqual([{ id: 'offline', count: offlineShown_max }])
    play.take({ type: 'join', member: 5 })
    expect(members.groups).toStrictEqual([])
    expect(members.rows(everything)).toStrictEqual([])
    expect(members.memberCount).toBe(offlineShown_max + 1)
    play.take({ type: 'online', member: 5 })
    expect(members.groups).toStrictEqual([{ id: 'online', count: 1 }])
    play.take({ type: 'leave', member: 5 })
    expect(members.groups).toStrictEqual([{ id: 'offline', count: offlineShown_max }])
    expect(members.takeTouched()).toMatchObject({ from: 0 })
  })
})

function held(): { readonly promise: Promise<void>; readonly go: () => void } {
  let go: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    go = resolve
  })
  return { promise, go }
}
