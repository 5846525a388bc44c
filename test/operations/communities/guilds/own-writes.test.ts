import { beforeAll, describe, expect, it } from 'vitest'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, crowd, expectRefusal, found, invite, listOf, type TestGuild } from '../../support/answers.ts'
import { send, sent } from '../../support/messages.ts'
import { openServer } from '../../support/scene.ts'

let guildhall: Awaited<ReturnType<typeof openServer>>
beforeAll(async () => {
  guildhall = await openServer()
})

const rounds = 12

async function get(account: TestAccount, path: string) {
  return bodyOf(await guildhall.request('GET', path, { token: account.token }))
}

/** Acts on a guild of its own with a member, while others do the same in their guilds. */
async function played(owner: TestAccount, member: TestAccount): Promise<void> {
  const home = await found(guildhall, owner)
  const own = (method: string, path: string, body?: unknown) =>
    guildhall.request(method, path, { token: owner.token, ...(body === undefined ? {} : { body }) })
  for (let round = 0; round < rounds; round += 1) {
    await joins(owner, member, home)
    const name = `Round ${round}`
    bodyOf(await own('PATCH', `/v1/guilds/${home.id}`, { name }))
    for (const account of [owner, member])
      expect(await get(account, `/v1/guilds/${home.id}`)).toMatchObject({ name, member_count: 2 })
    await hidesAndShows(own, member, home)
    const message = await sent(guildhall, member, home.channel, 'hello')
    expect(await get(owner, `/v1/channels/${home.channel}`)).toMatchObject({ last_message_id: message })
    expect((await own('DELETE', `/v1/channels/${home.channel}/messages/${message}`)).status).toBe(204)
    expect(await get(owner, `/v1/channels/${home.channel}`)).not.toMatchObject({ last_message_id: message })
    expect((await own('DELETE', `/v1/guilds/${home.id}/members/${member.id}`)).status).toBe(204)
    expectRefusal(await send(guildhall, member, home.channel, 'gone'), 403, 'MISSING_PERMISSIONS')
    expect(await get(owner, `/v1/guilds/${home.id}`)).toMatchObject({ member_count: 1 })
  }
}

async function joins(owner: TestAccount, member: TestAccount, home: TestGuild): Promise<void> {
  const answer = bodyOf(await accept(guildhall, member, await invite(guildhall, owner, home.channel)))
  expect(answer).toMatchObject({ member_count: 2 })
}

async function hidesAndShows(
  own: (method: string, path: string, body?: unknown) => Promise<{ readonly status: number }>,
  member: TestAccount,
  home: TestGuild,
): Promise<void> {
  const overwrite = `/v1/channels/${home.channel}/permissions/${home.id}`
  const hidden = { type: 0, allow: '0', deny: permissionBits.VIEW_CHANNEL.toString() }
  expect((await own('PUT', overwrite, hidden)).status).toBe(204)
  expectRefusal(await send(guildhall, member, home.channel, 'unseen'), 403, 'MISSING_PERMISSIONS')
  const channels = await guildhall.request('GET', `/v1/guilds/${home.id}/channels`, { token: member.token })
  expect(listOf(channels).map(({ id }) => id)).not.toContain(home.channel)
  expect((await own('DELETE', overwrite)).status).toBe(204)
  expect((await send(guildhall, member, home.channel, 'seen')).status).toBe(200)
}

describe('a writer', () => {
  it('reads the write at once, and so does everybody who asks after the answer, in many guilds at the same time', async () => {
    const people = await crowd(guildhall, 8)
    const pairs = people.flatMap((owner, index) => {
      const member = people[index + 1]
      return index % 2 === 0 && member ? [[owner, member] as const] : []
    })
    await Promise.all(pairs.map(([owner, member]) => played(owner, member)))
  })
})
