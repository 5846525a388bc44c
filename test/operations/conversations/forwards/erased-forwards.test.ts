import { afterAll, describe, expect, it } from 'vitest'
import { finishStep } from '../../../../application/processes/finish-step.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { laidDatabase } from '../../../support/test-database.ts'
import { anonymising } from '../../support/anonymised.ts'
import { bodyOf } from '../../support/answers.ts'
import { everyRow } from '../../support/erasure.ts'
import { file, payload, sendForm } from '../../support/forms.ts'
import { messagesPath, send, sent } from '../../support/messages.ts'
import { foundWith, openServer } from '../../support/scene.ts'

/** What an erasure leaves of messages that were forwarded (rules/messages#forward). */

const kept = await laidDatabase()
afterAll(() => kept.close())
const guildhall = await openServer({ connection: kept.connection })
const { anonymise, erased, stepOf } = anonymising(guildhall)

interface Shown {
  readonly author: { readonly id: string }
  readonly message_snapshots: readonly {
    readonly content: string
    readonly mentions: readonly string[]
    readonly attachments: readonly { readonly url: string }[]
    readonly embeds: readonly { readonly title?: string; readonly image?: { readonly url: string } }[]
  }[]
}

describe('an erased account', () => {
  it('leaves the text of its messages in forwards of others, and nothing else of them', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const home = await foundWith(guildhall, brian, ada)
    const embeds = [{ title: `by <@!${ada.id}>`, image: { url: 'attachment://b.png' } }]
    const written = await sendForm(guildhall, ada, home.channel, [
      payload({ content: `I am <@${ada.id}>, not <@${brian.id}>`, embeds }),
      file('files[0]', 'a.txt', 'content of a'),
      file('files[1]', 'b.png', 'content of b'),
    ])
    const id = String(bodyOf(written)['id'])
    const message_reference = { type: 1, channel_id: home.channel, message_id: id }
    const made = String(bodyOf(await send(guildhall, brian, home.channel, { message_reference }))['id'])
    const read = async () => {
      const path = messagesPath(home.channel, made)
      return bodyOf(await guildhall.request('GET', path, { token: brian.token })) as unknown as Shown
    }
    const [before] = (await read()).message_snapshots
    const urls = [before?.attachments[0]?.url ?? '', before?.embeds[0]?.image?.url ?? '']
    await guildhall.request('DELETE', messagesPath(home.channel, id), { token: ada.token })
    await sent(guildhall, ada, home.channel, 'Hello')
    await erased(ada)
    expect(await anonymise(ada)).toBe(true)
    const { author, message_snapshots: snapshots } = await read()
    expect(author.id).toBe(brian.id)
    expect(snapshots).toMatchObject([
      { content: `I am @DeletedUser, not <@${brian.id}>`, mentions: [brian.id], attachments: [] },
    ])
    expect(snapshots[0]?.embeds).toMatchObject([{ title: 'by @DeletedUser' }])
    expect(snapshots[0]?.embeds[0]).not.toHaveProperty('image')
    const { rows } = await guildhall.store.database.pool.query(
      'select from messages.attachments where message_id = $1',
      [made],
    )
    expect(rows).toHaveLength(0)
    const lines = (await everyRow(guildhall)).split('\n').filter((line) => line.startsWith('messages.messages'))
    expect(lines.filter((line) => line.includes(ada.id))).toStrictEqual([])
    expect(urls.every((url) => url.startsWith('http'))).toBe(true)
  })

  it('has no files left in its own forwards of others, whose text stays', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const home = await foundWith(guildhall, brian, ada)
    const parts = [payload({ content: 'Of Brian' }), file('files[0]', 'a.txt', 'content of a')]
    const id = String(bodyOf(await sendForm(guildhall, brian, home.channel, parts))['id'])
    const message_reference = { type: 1, channel_id: home.channel, message_id: id }
    const made = String(bodyOf(await send(guildhall, ada, home.channel, { message_reference }))['id'])
    await erased(ada)
    expect(await anonymise(ada)).toBe(true)
    const path = messagesPath(home.channel, made)
    const read = bodyOf(await guildhall.request('GET', path, { token: brian.token }))
    expect(read).toMatchObject({ message_snapshots: [{ content: 'Of Brian', attachments: [] }] })
    expect(
      bodyOf(await guildhall.request('GET', messagesPath(home.channel, id), { token: brian.token })),
    ).toMatchObject({ attachments: [{ filename: 'a.txt' }] })
  })

  it('is in no forward and no reply that was under way as its message went and it was erased', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const home = await foundWith(guildhall, brian, ada)
    const id = await sent(guildhall, ada, home.channel, `I am <@${ada.id}>`)
    const { pool } = guildhall.store.database
    const lock = await pool.connect()
    // What a message with a nonce waits for after its source was read.
    const turn = `${home.channel} ${brian.id}`
    await lock.query('select pg_advisory_lock(1196771691, hashtext($1))', [turn])
    const forwarded = { type: 1, channel_id: home.channel, message_id: id }
    const late = [
      send(guildhall, brian, home.channel, { message_reference: forwarded, nonce: '1' }),
      send(guildhall, brian, home.channel, { content: 'yes', message_reference: { message_id: id }, nonce: '2' }),
    ]
    const waiting = "select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted"
    await expect.poll(async () => (await pool.query(waiting)).rows).toStrictEqual([{ count: 2 }])
    expect((await guildhall.request('DELETE', messagesPath(home.channel, id), { token: ada.token })).status).toBe(204)
    await erased(ada)
    const step = await stepOf(ada)
    const finish = finishStep(guildhall.ports)
    expect(step && (await finish(step, timestamp(Date.now()), { requestLife_ms: 0 }))).toBe(false)
    await lock.query('select pg_advisory_unlock(1196771691, hashtext($1))', [turn])
    lock.release()
    expect((await Promise.all(late)).map(({ status }) => status)).toStrictEqual([200, 200])
    const naming = async () => {
      // Notices, and what is removed once more, go by themselves within minutes.
      const lines = (await everyRow(guildhall))
        .split('\n')
        .filter((line) => /^messages\.(?!notices|removed)/.test(line))
      return lines.filter((line) => line.includes(ada.id))
    }
    expect(await naming()).not.toStrictEqual([])
    expect(await anonymise(ada)).toBe(true)
    expect(await naming()).toStrictEqual([])
  })
})
