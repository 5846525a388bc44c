import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openMessages, type OpenMessages } from '../../../adapters/messages/open-messages.ts'
import { at, audience, general, posted } from '../../contract/messages-fixtures.ts'
import { heldPosition } from '../../support/held-position.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'

let test: TestDatabase
let opened: OpenMessages
beforeAll(async () => {
  test = await laidDatabase()
  const { database, notifier } = test
  opened = openMessages({ database, heldPosition, notifier, onError: (error) => expect.fail(String(error)) })
})
afterAll(async () => {
  await opened.close()
  await test.close()
})
beforeEach(async () => {
  await test.database.pool.query('truncate messages.messages, messages.publications, messages.changed_sources')
  await posted(opened.messages, [source])
  await opened.messages.edit(source, { flags: 1, flagsMask: 1 }, audience())
})

const source = at(1)
/** How long what failed waits, in whole seconds, after each try; each time it is over at once. */
async function delaysOf(table: 'publications' | 'changed_sources', putOff: () => Promise<void>) {
  const delays: number[] = []
  for (;;) {
    await putOff()
    const { rows } = await test.database.pool.query<{ readonly delay: number }>(
      `select round(extract(epoch from due_at - clock_timestamp()))::int4 as delay from messages.${table}`,
    )
    const [row] = rows
    if (!row) return delays
    delays.push(row.delay)
    await test.database.pool.query(`update messages.${table} set due_at = clock_timestamp()`)
  }
}
const schedule = [10, 30, 60, 120, 300, 600, 1200, 2400]

describe('a publication whose copies fail', () => {
  it('waits before each next try, and is given up after the last', async () => {
    const { copies } = opened
    expect(await copies.publication(source)).toMatchObject({ messageId: source, channelId: general })
    await copies.putOff(source)
    expect([await copies.publication(source), await copies.publications(10)]).toStrictEqual([undefined, []])
    await test.database.pool.query('update messages.publications set tries = 0, due_at = clock_timestamp()')
    expect(await copies.publications(10)).toHaveLength(1)
    expect(await delaysOf('publications', () => copies.putOff(source))).toStrictEqual(schedule)
  })
})

describe('a change whose copies fail to follow', () => {
  const change = async () => {
    const [first] = await opened.copies.changed(10)
    if (!first) throw new Error('Nothing changed')
    return first
  }

  it('waits before each next try, and is given up after the last', async () => {
    await opened.messages.edit(source, { content: 'other' }, audience())
    const changed = await change()
    await opened.copies.putOffChange(changed)
    expect(await opened.copies.changed(10)).toStrictEqual([])
    await test.database.pool.query('update messages.changed_sources set tries = 0, due_at = clock_timestamp()')
    expect(await delaysOf('changed_sources', () => opened.copies.putOffChange(changed))).toStrictEqual(schedule)
  })

  it('is tried at once where the message changes again', async () => {
    await opened.messages.edit(source, { content: 'other' }, audience())
    const changed = await change()
    await opened.copies.putOffChange(changed)
    await opened.messages.edit(source, { content: 'another' }, audience())
    const later = await change()
    await opened.copies.putOffChange(changed)
    expect(await opened.copies.changed(10)).toStrictEqual([later])
  })
})
