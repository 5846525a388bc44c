import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { openServer } from '../../support/scene.ts'
import { correctionsOn, entriesAbout, unknownUser } from './support.ts'

const guildhall = await openServer()
const { root, ask } = await correctionsOn(guildhall)
const { connect, end } = connections()
afterAll(end)

const change = (id: string, date: unknown, token = root.token): Promise<TestAnswer> =>
  ask('PATCH', id, 'date-of-birth', { date_of_birth: date }, token)
const ofAge = `${new Date().getUTCFullYear() - 15}-01-01`

let ada: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
})

describe('Change user date of birth', () => {
  it('changes what the age of an account opens to it, which its sessions hear', async () => {
    const owner = await guildhall.register()
    const home = await found(guildhall, owner)
    bodyOf(await accept(guildhall, ada, await invite(guildhall, owner, home.channel)))
    bodyOf(
      await guildhall.request('PATCH', `/v1/channels/${home.channel}`, { token: owner.token, body: { nsfw: true } }),
    )
    const read = () => guildhall.request('GET', `/v1/channels/${home.channel}/messages`, { token: ada.token })
    expect((await read()).status).toBe(200)
    const { client } = await connect(guildhall, ada)
    expect(bodyOf(await change(ada.id, ofAge))['user']).toMatchObject({ id: ada.id, date_of_birth: ofAge })
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ nsfw_allowed: false })
    expectRefusal(await read(), 403, 'NSFW_CONTENT_AGE_RESTRICTED')
    bodyOf(await change(ada.id, '1990-02-28'))
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ nsfw_allowed: true })
    expect((await read()).status).toBe(200)
  })

  it('is recorded with both dates, which are personal, also where nothing changes', async () => {
    for (const date of ['2000-02-29', '2000-02-29']) bodyOf(await change(ada.id, date))
    const [first, second] = await entriesAbout(guildhall, ada)
    expect(first).toMatchObject({ action: 'change_dob', targetType: 'user', metadata: {} })
    expect(first).toMatchObject({ personalMetadata: { old_dob: '1990-12-10', new_dob: '2000-02-29' } })
    expect(second).toMatchObject({ personalMetadata: { old_dob: '2000-02-29', new_dob: '2000-02-29' } })
  })

  it('names a date that there was not by the text null', async () => {
    const bot = await guildhall.request('POST', '/v1/oauth2/applications', {
      token: ada.token,
      body: { name: 'Engine' },
    })
    const id = String(bodyOf(bot)['id'])
    bodyOf(await change(id, '2001-01-01'))
    expect(await entriesAbout(guildhall, { id })).toMatchObject([
      { personalMetadata: { old_dob: 'null', new_dob: '2001-01-01' } },
    ])
  })

  it('shows the date only to who may view it', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:dob')
    expect(bodyOf(await change(ada.id, '1980-01-01', lesser.token))['user']).toMatchObject({ date_of_birth: null })
  })

  it('refuses what is no day of a calendar, before it looks for the account', async () => {
    for (const date of ['2001-02-29', '1900-02-29', '2000-13-01', '2000-00-10', '2000-04-31', '          '])
      expectFields(await change(unknownUser, date), field('date_of_birth', 'INVALID_DATE_OF_BIRTH_FORMAT'))
    for (const date of ['2000-1-1', '', '2000-01-011'])
      expectRefusal(await change(unknownUser, date), 400, 'INVALID_FORM_BODY')
    for (const date of ['01-01-2000', '2000/01/01', '2000-01-0a'])
      expectFields(await change(unknownUser, date), field('date_of_birth', 'INVALID_FORMAT'))
    for (const date of [undefined, null, 20000101])
      expectRefusal(await change(unknownUser, date), 400, 'INVALID_FORM_BODY')
  })

  it('refuses a day that has not come, and one before 1900', async () => {
    const tomorrow = new Date(Date.now() + 2 * 24 * 3600 * 1000).toISOString().slice(0, 10)
    for (const date of [tomorrow, '2999-01-01', '9999-12-31', '1899-12-31', '0001-01-01'])
      expectFields(await change(unknownUser, date), field('date_of_birth', 'INVALID_DATE_OF_BIRTH_FORMAT'))
    const today = new Date(Date.now() - 1000).toISOString().slice(0, 10)
    for (const date of ['1900-01-01', today])
      expect(bodyOf(await change(ada.id, date))['user']).toMatchObject({ date_of_birth: date })
  })

  it('is refused without the ACL and for nobody’s account, and records no refusal', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:view:dob')
    expectRefusal(await change(ada.id, '1980-01-01', lesser.token), 403, 'MISSING_ACL')
    expectRefusal(await change(unknownUser, '1980-01-01'), 404, 'UNKNOWN_USER')
    expect(await entriesAbout(guildhall, ada)).toStrictEqual([])
  })
})
