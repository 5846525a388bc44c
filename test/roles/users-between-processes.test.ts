import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, expectRefusal } from '../operations/support/answers.ts'
import { connections } from '../operations/support/connected.ts'
import { befriend } from '../operations/support/relationships.ts'
import { administrator } from '../support/administrators.ts'
import { protect } from '../support/authenticator.ts'
import { natsIsMissing, natsSuite } from '../support/nats-server.ts'
import { sharedServers } from '../support/shared-servers.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { expectEnded } from '../gateway/support/ended.ts'

describe.skipIf(natsIsMissing !== undefined)(natsSuite('what an administrator ends, between two processes'), () => {
  let one: TestGuildhall
  let two: TestGuildhall
  let root: TestAccount
  const closings: (() => Promise<unknown>)[] = []
  const { connect, end } = connections()

  beforeAll(async () => {
    const shared = await sharedServers(closings)
    one = await startTestGuildhall(shared)
    closings.push(() => one.close())
    two = await startTestGuildhall({ ...shared, roles: ['api', 'gateway'] })
    closings.push(() => two.close())
    root = await administrator(one, '*')
  })
  afterEach(end)
  afterAll(async () => {
    for (const close of closings.toReversed()) await close()
  })

  const act = ({ id }: TestAccount, rest: string, body?: object) =>
    one.request('DELETE', `/v1/admin/users/${id}/${rest}`, {
      token: root.token,
      ...(body === undefined ? {} : { body }),
    })

  it('sessions are over at every Gateway, and their token is worth nothing anywhere', async () => {
    const ada = await one.register()
    const connected = [await connect(one, ada), await connect(two, ada)]
    expect(bodyOf(await act(ada, 'sessions'))).toStrictEqual({ terminated_count: 1 })
    for (const each of [one, two])
      expectRefusal(await each.request('GET', '/v1/users/@me', { token: ada.token }), 401, 'UNAUTHORIZED')
    for (const { client } of connected) await expectEnded(client)
  })

  it('second factors are gone at the other too, where the account hears of it', async () => {
    const ada = await one.register()
    await protect(one, ada)
    const { client } = await connect(two, ada)
    expect((await act(ada, 'mfa')).status).toBe(204)
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ id: ada.id, mfa_enabled: false })
    expect(bodyOf(await two.request('POST', '/v1/auth/login', { body: ada }))).toHaveProperty('token')
  })

  it('a friendship is over for both, wherever they are connected', async () => {
    const [ada, grace] = [await one.register(), await one.register()]
    await befriend(one, ada, grace)
    const [own, other] = [await connect(one, ada), await connect(two, grace)]
    expect(bodyOf(await act(ada, 'relationships', { category: 'friend' }))).toStrictEqual({ removed_count: 1 })
    expect((await own.client.dispatch('RELATIONSHIP_REMOVE')).d).toStrictEqual({ id: grace.id })
    expect((await other.client.dispatch('RELATIONSHIP_REMOVE')).d).toStrictEqual({ id: ada.id })
  })
})
