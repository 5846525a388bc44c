import { describe, expect, it } from 'vitest'
import { bodyOf, expectRefusal, listOf } from '../support/answers.ts'
import { openScene } from '../support/scene.ts'

const { guildhall, ada, brian, carol, home } = await openScene()
const guild = `/v1/guilds/${home.id}`
const read = ({ token }: { readonly token: string }, path: string) =>
  guildhall.request('GET', `${guild}${path}`, { token })

describe('one thing of a guild', () => {
  it('is a role as the list has it', async () => {
    const [everyone] = listOf(await read(brian, '/roles'))
    expect(bodyOf(await read(brian, `/roles/${home.id}`))).toStrictEqual(everyone)
    expectRefusal(await read(brian, '/roles/1'), 404, 'UNKNOWN_ROLE')
    expectRefusal(await read(carol, `/roles/${home.id}`), 403, 'MISSING_PERMISSIONS')
  })

  it('is a ban as the list has it, with the reason of the audit log where it has none', async () => {
    const [path, body, headers] = [`${guild}/bans/${carol.id}`, {}, { 'x-audit-log-reason': 'spam' }]
    expectRefusal(await read(ada, `/bans/${carol.id}`), 404, 'NOT_FOUND')
    expect((await guildhall.request('PUT', path, { token: ada.token, body, headers })).status).toBe(204)
    const ban = bodyOf(await read(ada, `/bans/${carol.id}`))
    expect(ban).toMatchObject({ user: { id: carol.id }, reason: 'spam', moderator_id: ada.id })
    expect(listOf(await read(ada, '/bans'))).toStrictEqual([ban])
    expectRefusal(await read(brian, `/bans/${carol.id}`), 403, 'MISSING_PERMISSIONS')
    await guildhall.request('DELETE', path, { token: ada.token })
    expectRefusal(await read(ada, `/bans/${carol.id}`), 404, 'NOT_FOUND')
  })

  it('is a preview with counts, for members', async () => {
    expect(bodyOf(await read(brian, '/preview'))).toMatchObject({ id: home.id, approximate_member_count: 2 })
    expectRefusal(await read(carol, '/preview'), 403, 'MISSING_PERMISSIONS')
  })

  it('is an emoji or a sticker that there is', async () => {
    expectRefusal(await read(brian, '/emojis/1'), 404, 'UNKNOWN_EMOJI')
    expectRefusal(await read(brian, '/stickers/1'), 404, 'UNKNOWN_STICKER')
  })
})

describe('a search of members', () => {
  it('finds those whose nickname begins with a text, in any case, and everybody by none', async () => {
    const search = async (query: string) => listOf(await read(ada, `/members/search?limit=10${query}`))
    const body = { nick: 'Brunel' }
    await guildhall.request('PATCH', `${guild}/members/@me`, { token: brian.token, body })
    expect(await search('&query=bRu')).toMatchObject([{ user: { id: brian.id }, nick: 'Brunel' }])
    expect(await search('&query=runel')).toStrictEqual([])
    expect((await search('')).length).toBe(2)
  })
})
