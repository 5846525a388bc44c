import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { anonymising } from '../support/anonymised.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { asBot, newApplication } from '../support/applications.ts'
import { jsonIn, ownArchive } from '../support/archives.ts'
import { connections } from '../support/connected.ts'
import { openScene } from '../support/scene.ts'

const { guildhall, ada, brian, carol } = await openScene({})
const { connect, end } = connections()
afterAll(end)
const { anonymise, erased } = anonymising(guildhall)

type Holder = Pick<TestAccount, 'token'>
const notesPath = '/v1/users/@me/notes'
const note = ({ token }: Holder, about: string, body?: object) =>
  guildhall.request('PUT', `${notesPath}/${about}`, { token, ...(body && { body }) })
const noteOf = ({ token }: Holder, about: string) => guildhall.request('GET', `${notesPath}/${about}`, { token })
const notesOf = async ({ token }: Holder) => bodyOf(await guildhall.request('GET', notesPath, { token }))

describe('the notes of an account', () => {
  it('are about anybody, are in READY, and are told to its own sessions alone', async () => {
    const [{ client, ready }, other] = [await connect(guildhall, ada), await connect(guildhall, brian)]
    expect(ready['notes']).toStrictEqual({})
    expect(await note(ada, brian.id, { note: '  met at the fair ' })).toMatchObject({ status: 204, body: undefined })
    expect((await client.dispatch('USER_NOTE_UPDATE')).d).toStrictEqual({ id: brian.id, note: 'met at the fair' })
    expect((await note(ada, ada.id, { note: 'x'.repeat(256) })).status).toBe(204)
    const { bot } = await newApplication(guildhall, ada)
    const botId = String((bot as { readonly id?: string }).id)
    expect((await note(ada, botId, { note: 'counts' })).status).toBe(204)
    const all = { [brian.id]: 'met at the fair', [ada.id]: 'x'.repeat(256), [botId]: 'counts' }
    expect(await notesOf(ada)).toStrictEqual(all)
    expect((await connect(guildhall, ada)).ready['notes']).toStrictEqual(all)
    expect(await noteOf(ada, brian.id)).toMatchObject({ status: 200, body: { note: 'met at the fair' } })
    expect(await notesOf(brian)).toStrictEqual({})
    expect(other.client.dispatches.filter(({ t }) => t === 'USER_NOTE_UPDATE')).toStrictEqual([])
  })

  it.each([
    ['null', { note: null }],
    ['an empty text', { note: '' }],
    ['no member', {}],
    ['no body', undefined],
  ])('are removed by %s, which is told even if there was none', async (_, body) => {
    expect((await note(carol, brian.id, { note: 'gone soon' })).status).toBe(204)
    const { client } = await connect(guildhall, carol)
    for (let again = 0; again < 2; again += 1) {
      expect((await note(carol, brian.id, body)).status).toBe(204)
      expect((await client.dispatch('USER_NOTE_UPDATE')).d).toStrictEqual({ id: brian.id, note: '' })
    }
    expectRefusal(await noteOf(carol, brian.id), 404, 'UNKNOWN_USER')
  })

  it('are refused to bots, about nobody, blank, and too long', async () => {
    expectFields(await note(ada, brian.id, { note: '   ' }), field('note', 'STRING_LENGTH_INVALID'))
    expectFields(await note(ada, brian.id, { note: 'x'.repeat(257) }), field('note', 'STRING_LENGTH_INVALID'))
    expectRefusal(await note(ada, '1', { note: 'nobody' }), 404, 'UNKNOWN_USER')
    expectRefusal(await noteOf(ada, '1'), 404, 'UNKNOWN_USER')
    const bot = { token: asBot(await newApplication(guildhall, ada)) }
    expectRefusal(await note(bot, ada.id, { note: 'no' }), 403, 'ACCESS_DENIED')
    expectRefusal(await noteOf(bot, ada.id), 403, 'ACCESS_DENIED')
  })

  it('are in its archive, and go when it is erased, like those about it', async () => {
    const dora = await guildhall.register()
    await note(dora, brian.id, { note: 'of Dora' })
    await note(brian, dora.id, { note: 'about Dora' })
    expect(jsonIn(await ownArchive(guildhall, dora), 'account/notes.json')).toStrictEqual([
      { user_id: brian.id, note: 'of Dora' },
    ])
    await erased(dora)
    expect(await notesOf(brian)).toStrictEqual({})
    expectRefusal(await note(brian, dora.id, { note: 'again' }), 404, 'UNKNOWN_USER')
    const { pool } = guildhall.store.database
    await pool.query('insert into messages.account_notes values ($1, $2, $3)', [dora.id, ada.id, 'under way'])
    await anonymise(dora)
    const { rows } = await pool.query('select from messages.account_notes where $1 in (account_id, about_id)', [
      dora.id,
    ])
    expect(rows).toStrictEqual([])
  })
})
