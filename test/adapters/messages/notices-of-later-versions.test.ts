import { afterAll, describe, expect, it } from 'vitest'
import { openMessages } from '../../../adapters/messages/open-messages.ts'
import { openNotifier } from '../../../adapters/postgres/notifier.ts'
import { at, general, nextNotices, posted } from '../../contract/messages-fixtures.ts'
import { heldPosition } from '../../support/held-position.ts'
import { laidDatabase } from '../../support/test-database.ts'

const test = await laidDatabase()
const { database, connection } = test
const errors: unknown[] = []
const onError = (error: unknown): void => void errors.push(error)
const notifier = openNotifier({ connection, onError })
const opened = openMessages({ database, heldPosition, notifier, onError })
afterAll(async () => {
  await opened.close()
  await notifier.close()
  await test.close()
})

/** What a process of a later version may write. */
const ofLater = (count: number) =>
  database.pool.query(
    `insert into messages.notices (kind, channel_id, channel_type, after, message_ids)
     select 'kind_of_later', $1, 0, 0, '{}' from generate_series(1, $2)`,
    [general, count],
  )

describe('notices of kinds that only later versions know', () => {
  it('are left out and counted; what comes before and after them is told, in order and once', async () => {
    const { messages, notices } = opened
    const from = await notices.beginning()
    const ids = [at(1), at(2), at(3), at(4)] as const
    await posted(messages, [ids[0]])
    // More than a page, so that one page has nothing else.
    await ofLater(1200)
    await posted(messages, [ids[1]])
    await ofLater(1)
    await posted(messages, [ids[2]])
    const heard = await nextNotices(notices, from, 3)
    expect(heard.map((notice) => 'messageId' in notice && notice.messageId)).toStrictEqual(ids.slice(0, 3))
    expect(notices.unknown()).toBe(1201)
    expect((await notices.committed([{ after: from }], 2000)).map(({ number }) => number)).toStrictEqual(
      heard.map(({ number }) => number),
    )
    await ofLater(3)
    await posted(messages, [ids[3]])
    const later = await nextNotices(notices, heard.at(-1)?.number ?? from, 1)
    expect(later).toMatchObject([{ kind: 'created', messageId: ids[3] }])
    expect(notices.unknown()).toBe(1204)
    expect(errors).toStrictEqual([])
  })
})
