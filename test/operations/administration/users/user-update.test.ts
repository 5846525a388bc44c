import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { openServer } from '../../support/scene.ts'
import { correctionsOn, entriesAbout } from './support.ts'

/** The account's sessions hear USER_UPDATE even of acts that leave the account as it is. */

const guildhall = await openServer()
const { ask } = await correctionsOn(guildhall)
const { connect, end } = connections()
afterAll(end)

let ada: TestAccount
let username: string
beforeEach(async () => {
  ada = await guildhall.register()
  username = String(bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))['username'])
})

type Session = Awaited<ReturnType<typeof connect>>['client']
type Payload = Session['dispatches'][number]

const updatesIn = ({ dispatches }: Session) => dispatches.filter(({ t }) => t === 'USER_UPDATE')

/** How many times the account was told before a later change. */
async function toldBeforeNow(client: Session): Promise<number> {
  bodyOf(await ask('PUT', ada.id, 'traits', { traits: ['later'] }))
  const isLater = (d: Payload['d']) => JSON.stringify(d['traits']) === '["later"]'
  await client.until(({ t, d }) => t === 'USER_UPDATE' && isLater(d), 'the later change')
  return updatesIn(client).filter(({ d }) => !isLater(d)).length
}

describe('an act of an administrator that changes nothing', () => {
  const acts: readonly (readonly [string, string, () => unknown])[] = [
    ['PATCH', 'username', () => ({ username })],
    ['PATCH', 'date-of-birth', () => ({ date_of_birth: '1990-12-10' })],
    ['DELETE', 'profile-fields', () => ({ fields: ['bio', 'avatar', 'global_name'] })],
    ['DELETE', 'profile-fields', () => ({ fields: [] })],
    ['PUT', 'bot-status', () => ({ bot: false })],
    ['PUT', 'system-status', () => ({ system: false })],
    ['PUT', 'acls', () => ({ acls: [] })],
    ['PUT', 'traits', () => ({ traits: [] })],
    ['PATCH', 'flags', () => ({})],
    ['PATCH', 'premium-flags', () => ({})],
    ['DELETE', 'ban', () => ({})],
    ['DELETE', 'mfa', () => undefined],
  ]

  it.each(acts)('sends User Update once, and its entry is recorded: %s %s', async (method, resource, bodyFor) => {
    const { client } = await connect(guildhall, ada)
    const { body: user } = await guildhall.request('GET', '/v1/users/@me', { token: ada.token })
    const before = (await entriesAbout(guildhall, ada)).length
    expect((await ask(method, ada.id, resource, bodyFor())).status).toBe(resource === 'mfa' ? 204 : 200)
    expect((await client.dispatch('USER_UPDATE')).d).toStrictEqual(user)
    expect(await entriesAbout(guildhall, ada)).toHaveLength(before + 1)
    expect(await toldBeforeNow(client)).toBe(1)
  })

  it.each([
    ['PATCH', 'email', false],
    ['PUT', 'email-verification', true],
  ] as const)('sends User Update where the address is so already: %s %s', async (method, resource, verified) => {
    const act = () => ask(method, ada.id, resource, method === 'PATCH' ? { email: ada.email } : undefined)
    bodyOf(await act())
    const { client } = await connect(guildhall, ada)
    bodyOf(await act())
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ id: ada.id, email: ada.email, verified })
    expect(await toldBeforeNow(client)).toBe(1)
  })

  it('sends none where the text has none: Cancel scheduled message deletion', async () => {
    const { client } = await connect(guildhall, ada)
    bodyOf(await ask('DELETE', ada.id, 'message-deletion'))
    expect(await toldBeforeNow(client)).toBe(0)
  })
})

describe('Modify current user', () => {
  it('sends User Update even if nothing changes, and once if something does', async () => {
    const { client } = await connect(guildhall, ada)
    for (const body of [{}, { bio: null }, { has_unread_gift_inventory: false }])
      expect((await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body })).status).toBe(200)
    await expect.poll(() => updatesIn(client).length).toBe(3)
    expect(await toldBeforeNow(client)).toBe(3)
  })
})
