import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  absence_ms,
  temporaryMembershipsEnding,
} from '../../../../application/communities/members/end-temporary-memberships.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectRefusal, invite } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { openScene } from '../../support/scene.ts'

let carol: TestAccount

const { connect, end } = connections()

const { guildhall, ada, home } = await openScene({})
beforeEach(async () => {
  carol = await guildhall.register()
})
afterAll(end)

const guild = (account: TestAccount) => guildhall.request('GET', `/v1/guilds/${home.id}`, { token: account.token })
const logOut = ({ token }: TestAccount) => guildhall.request('POST', '/v1/auth/logout', { token })
const logIn = async ({ email, password }: TestAccount): Promise<string> =>
  String(bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))['token'])

/** Carol, connected, joins for as long as she is present. */
async function joinForNow() {
  const { client } = await connect(guildhall, carol)
  expect((await accept(guildhall, carol, await invite(guildhall, ada, home.channel, { temporary: true }))).status).toBe(
    200,
  )
  return client
}

/** Ends every session of Carol’s; she keeps a token for requests. */
async function goAway(): Promise<TestAccount> {
  const later = { ...carol, token: await logIn(carol) }
  expect((await logOut(carol)).status).toBe(204)
  return later
}

/** What a worker does that checks at these times, in milliseconds from now. */
async function looks(...times: readonly number[]): Promise<number> {
  const look = temporaryMembershipsEnding(guildhall.ports)
  const start_ms = Date.now()
  let ended = 0
  for (const time of times) ended += await look(timestamp(start_ms + time))
  const { ports, readModels } = guildhall
  await readModels.reached(await ports.queries.positions.held())
  return ended
}

describe('a temporary membership', () => {
  it('ends once the account has had no session for a minute, with Guild Member Remove and no Guild Delete to nobody', async () => {
    await joinForNow()
    const { client: owner } = await connect(guildhall, ada)
    const gone = await goAway()
    expect(await looks(0, absence_ms - 1)).toBe(0)
    expect((await guild(gone)).status).toBe(200)
    expect(await looks(0, absence_ms)).toBe(1)
    expect((await owner.dispatch('GUILD_MEMBER_REMOVE')).d).toMatchObject({ guild_id: home.id, user: { id: carol.id } })
    await expect.poll(async () => (await guild(gone)).status).toBe(403)
    expectRefusal(await guild(gone), 403, 'MISSING_PERMISSIONS')
    expect(await looks(0, absence_ms)).toBe(0)
  })

  it('lasts while the account has a session', async () => {
    await joinForNow()
    expect(await looks(0, absence_ms, 10 * absence_ms)).toBe(0)
    expect((await guild(carol)).status).toBe(200)
  })

  it('lasts if the account is back within the minute', async () => {
    await joinForNow()
    const back = await goAway()
    const look = temporaryMembershipsEnding(guildhall.ports)
    const start_ms = Date.now()
    expect(await look(timestamp(start_ms))).toBe(0)
    await connect(guildhall, back)
    expect(await look(timestamp(start_ms + absence_ms - 1))).toBe(0)
    await logOut(back)
    expect(await look(timestamp(start_ms + absence_ms))).toBe(0)
    expect(await look(timestamp(start_ms + 2 * absence_ms))).toBe(1)
  })

  it('becomes permanent with a role, even if the role is removed later', async () => {
    await joinForNow()
    const send = (method: string, path: string, body?: unknown) =>
      guildhall.request(method, `/v1/guilds/${home.id}${path}`, {
        token: ada.token,
        ...(body === undefined ? {} : { body }),
      })
    const role = String(bodyOf(await send('POST', '/roles', { name: 'Crew' }))['id'])
    await send('PUT', `/members/${carol.id}/roles/${role}`)
    await send('DELETE', `/members/${carol.id}/roles/${role}`)
    const gone = await goAway()
    expect(await looks(0, absence_ms)).toBe(0)
    expect((await guild(gone)).status).toBe(200)
  })

  it('becomes permanent with the ownership of the guild', async () => {
    await joinForNow()
    const give = (from: TestAccount, to: TestAccount) =>
      guildhall.request('POST', `/v1/guilds/${home.id}/transfer-ownership`, {
        token: from.token,
        body: { new_owner_id: to.id, password: from.password },
      })
    expect((await give(ada, carol)).status).toBe(200)
    expect((await give(carol, ada)).status).toBe(200)
    const gone = await goAway()
    expect(await looks(0, absence_ms)).toBe(0)
    expect((await guild(gone)).status).toBe(200)
  })

  it('does not begin without a session', async () => {
    const code = await invite(guildhall, ada, home.channel, { temporary: true, max_uses: 1 })
    expectRefusal(await accept(guildhall, carol, code), 400, 'TEMPORARY_INVITE_REQUIRES_PRESENCE')
    await connect(guildhall, carol)
    expect((await accept(guildhall, carol, code)).status).toBe(200)
  })
})
