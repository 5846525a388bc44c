import { describe, expect, it } from 'vitest'
import { bodyOf, listOf } from '../operations/support/answers.ts'
import { openDirect, openGroup } from '../operations/conversations/private-channels/support.ts'
import { befriend } from '../operations/support/relationships.ts'
import { openScene } from '../operations/support/scene.ts'
import type { TestAccount } from '../support/test-guildhall.ts'

/** Equal requests at the same time give one invite. */

const { guildhall, ada, brian, carol, home } = await openScene()
await befriend(guildhall, ada, brian)
await befriend(guildhall, ada, carol)

const atOnce = (count: number, { token }: TestAccount, channel: string, body: object = { unique: false }) =>
  Promise.all(
    Array.from({ length: count }, async () =>
      String(bodyOf(await guildhall.request('POST', `/v1/channels/${channel}/invites`, { token, body }))['code']),
    ),
  )
const codesOf = async (channel: string) =>
  listOf(await guildhall.request('GET', `/v1/channels/${channel}/invites`, { token: ada.token })).map(
    ({ code }) => code,
  )

describe('Create channel invite without unique, in a race', () => {
  it.each([2, 8, 64])('creates one invite for %i equal requests', async (count) => {
    const terms = { unique: false, max_age: count }
    const codes = new Set(await atOnce(count, ada, home.channel, terms))
    expect(codes.size).toBe(1)
    expect(await codesOf(home.channel)).toStrictEqual(expect.arrayContaining([...codes]))
  })
  it('creates one each for other terms, and for another creator', async () => {
    const before = await codesOf(home.channel)
    const made = await Promise.all([
      atOnce(4, ada, home.channel, { max_uses: 3 }),
      atOnce(4, ada, home.channel, { max_uses: 4 }),
      atOnce(4, brian, home.channel, { max_uses: 3 }),
    ])
    expect(new Set(made.flat()).size).toBe(3)
    expect(await codesOf(home.channel)).toHaveLength(before.length + 3)
  })
  it('creates one to a group, and to a direct message', async () => {
    const group = await openGroup(guildhall, ada, brian, carol)
    expect(new Set(await atOnce(16, ada, group)).size).toBe(1)
    expect(await codesOf(group)).toHaveLength(1)
    const direct = await openDirect(guildhall, ada, brian)
    expect(new Set(await atOnce(16, ada, direct)).size).toBe(1)
  })
  it('creates as many unique ones as are requested', async () => {
    expect(new Set(await atOnce(8, ada, home.channel, { unique: true })).size).toBe(8)
  })
})
